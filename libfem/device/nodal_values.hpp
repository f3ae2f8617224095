#pragma once
#include <algorithm>
#include <bit>

#include "libfem/device/cell_view.hpp"
#include "libfem/device/phases.hpp"
#include "libfem/form/point_kernel.hpp"

namespace invar {

/// The levels that Q reads, a bit each.
template <class Q>
constexpr unsigned levels_read() {
  unsigned levels = 0;
  for (Level l : all_levels) levels |= reads_level<Q>(l) ? 1u << static_cast<int>(l) : 0u;
  return levels;
}

/// Nodal rows of N numbers of type B (Lane, or Dual<Lane, 1>) in a team's memory; directions lie apart.
template <class B, int N, class Memory>
struct TeamRows {
  const Memory& memory;
  int values, directions;  // places of the first

  struct Row {
    const Memory& memory;
    int value, direction;

    INVAR_HD B operator[](int c) const {
      if constexpr (carries_tangent<B>) {
        B b;
        b.value = Lane(memory.read(value + c));
        b.grad[0] = Lane(memory.read(direction + c));
        return b;
      } else {
        return B(memory.read(value + c));
      }
    }
  };
  INVAR_HD Row operator[](int a) const { return {memory, values + a * N, directions + a * N}; }
};

/// The numbers at the nodes of a cell in its part of a team's memory: Dim coordinates, Components unknowns at each of the Levels, and those of a
/// multiplier. X and U, of coordinates and unknowns: Lane, or Dual<Lane, 1> with a direction. Nothing else of a form or an operation counts: all that
/// read the same share what a host compiles.
template <class X, class U, int Dim, int Components, unsigned Levels, bool Multiplier>
struct NodalValues {
  static constexpr int nt = Components * std::max(1, std::popcount(Levels));  // unknowns of a node

  const CellView& cells;
  const StateView& state;

  // Offsets in a cell's part.
  INVAR_HD int x_dot_at() const { return cells.n_nodes * Dim; }
  INVAR_HD int u_at() const { return x_dot_at() + (carries_tangent<X> ? cells.n_nodes * Dim : 0); }
  INVAR_HD int u_dot_at() const { return u_at() + cells.n_nodes * nt; }
  INVAR_HD int l_at() const { return u_dot_at() + (carries_tangent<U> ? cells.n_nodes * nt : 0); }
  INVAR_HD int end() const { return l_at() + (Multiplier ? cells.n_nodes * Components : 0); }

  /// Rows of the cell whose part begins at `base`.
  template <class Memory>
  INVAR_HD TeamRows<X, Dim, Memory> x(const Memory& memory, int base) const { return {memory, base, base + x_dot_at()}; }
  template <class Memory>
  INVAR_HD TeamRows<U, nt, Memory> u(const Memory& memory, int base) const { return {memory, base + u_at(), base + u_dot_at()}; }
  template <class Memory>
  INVAR_HD TeamRows<Lane, Components, Memory> l(const Memory& memory, int base) const { return {memory, base + l_at(), 0}; }

  /// Copies those of `count` cells, of which each has cell_size numbers there: a component of a node per thread and iteration.
  /// Loads of four iterations are issued before first use, to hide latency.
  /// Indices past the end are clamped, and their values discarded.
  template <class Memory>
  INVAR_SHARED void load(int first, int count, int cell_size, int thread, const Memory& memory) const {
    constexpr int turns = 4;
    const int n = count * cells.n_nodes * most_components, nodes_before = first * cells.n_nodes;
    const float by_count = 1.0f / cells.n_nodes;
    for (int i = thread; i < n; i += turns * most_threads) {
      int node[turns], dof[turns], at[turns], c[turns];
      double v[turns][most_nodal];
      static_for<turns>([&](auto t) {
        const int item = i + t * most_threads < n ? i + t * most_threads : n - 1;
        at[t] = item / most_components, c[t] = item % most_components;
        node[t] = cells.node[nodes_before + at[t]];
        dof[t] = cells.dof_of(c[t] < Components ? c[t] : 0, nodes_before + at[t], at[t] - cell_of(at[t], by_count) * cells.n_nodes);
      });
      static_for<turns>([&](auto t) {
        int k = 0;
        each_nodal([&](const double* values, bool of_dofs, int, int) {
          const int place = of_dofs ? dof[t] : node[t] * Dim + (c[t] < Dim ? c[t] : 0);
          v[t][k++] = values && place >= 0 ? values[place] : 0.0;
        });
      });
      static_for<turns>([&](auto t) {
        if (i + t * most_threads >= n) return;
        const int cell = cell_of(at[t], by_count), a = at[t] - cell * cells.n_nodes, base = cell * cell_size;
        int k = 0;
        each_nodal([&](const double*, bool of_dofs, int first_place, int width) {
          if (c[t] < (of_dofs ? Components : Dim)) memory.write(base + first_place + a * width + c[t], v[t][k]);
          ++k;
        });
      });
    }
  }

  /// The cell of an item, by the reciprocal of the number per cell: exact for less than 10⁶ items, and a division of integers takes ten
  /// times as long.
  INVAR_HD static int cell_of(int item, float by_count) { return static_cast<int>((item + 0.5f) * by_count); }

 private:
  static constexpr bool reads(Level level) { return Levels >> static_cast<int>(level) & 1; }
  /// Number of levels before one.
  static constexpr int position(int level) { return std::popcount(Levels & ((1u << level) - 1)); }
  static constexpr int most_components = std::max(Dim, Components), most_nodal = 2 + 2 * level_count + 1;

  /// visit(values, of dofs instead of nodes, place of a cell's first one in its memory, numbers per node) for all nodal values.
  template <class Visit>
  INVAR_HD void each_nodal(const Visit& visit) const {
    visit(state.coordinates, false, 0, Dim);
    if constexpr (carries_tangent<X>) visit(state.coordinates_dot, false, x_dot_at(), Dim);
    static_for<level_count>([&](auto l) {
      if constexpr (reads(static_cast<Level>(int(l)))) {
        constexpr int at = Components * position(l);
        visit(state.unknown[l], true, u_at() + at, nt);
        if constexpr (carries_tangent<U>) visit(state.unknown_dot[l], true, u_dot_at() + at, nt);
      }
    });
    if constexpr (Multiplier) visit(state.multiplier, true, l_at(), Components);
  }
};

}  // namespace invar
