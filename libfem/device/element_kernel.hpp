#pragma once
#include <type_traits>

#include "libfem/device/cell_view.hpp"
#include "libfem/form/point_kernel.hpp"

namespace invar {

/// Largest number of coefficients that Q reads.
template <class Q>
constexpr int coefficient_capacity() {
  if constexpr (requires { Q::most_coefficients; }) return Q::most_coefficients;
  else return 12;
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

/// Data of an operation at a quadrature point. Op::Geometry and Op::Unknown: Lane, or Dual<Lane, 1> with a direction.
template <class Q, class Op>
struct DevicePoint {
  using X = typename Op::Geometry;
  using U = typename Op::Unknown;

  const Q& q;
  PointGeometry<X, Q::dim, Q::ref_dim> geometry;
  Matrix<X, Q::ref_dim, Q::dim> Ainv;
  ReferenceValues<Q, U> u;
  SlotArray<Q, U> z;
  ReferenceValues<Q, Lane, Q::n_components> l;  // of the multiplier, where Op reads it
  X* p;                                         // coefficients
  double weight;
};

inline constexpr int most_nodes_of_thread = 3;

/// A form's element work in three phases: nodal values of the cells of a team into its memory, neighbouring threads those of a node; one
/// thread per quadrature point runs the q-function and leaves a few numbers; then threads add them up. Nothing is summed atomically: what
/// cells give to a node is added in a fixed order afterwards, see PlaceSum.
///
/// Op says what is computed:
///   Geometry, Unknown, multiplier      what is carried, what is read
///   least_teams                        4: at most 128 registers, 3: 168
///   numbers(kernel)                    that a point leaves
///   point(point, write)                calls write(k, number)
///   rows(n_nodes), width(kernel)       rows of a cell and numbers in a row of what comes out: [cell][row][width], and after these of all
///                                      cells, where Op gives them, [cell][width], which counts as row number `rows`
///   items(kernel)                      threads of a cell for
///   collect(kernel, item, read, write) adds up: read(point, k), write(row, k, number)
template <class Q, class Op>
struct ElementKernel {
  using Quantity = Q;
  static constexpr int phase_count = 3, least_teams = Op::least_teams;
  static constexpr int dim = Q::dim, nc = Q::n_components, nt = trial_count<Q>;
  using X = typename Op::Geometry;
  using U = typename Op::Unknown;

  Q q;
  CellView cells;
  StateView state;
  CoefficientView coefficients[coefficient_capacity<Q>()];
  int n_coefficients = 0;
  Op op;
  double* out = nullptr;
  int begin = 0, end = 0;  // of the cells; rows of `out` begin with those of the first one
  int cells_per_team = 1;
  int nodes_of_thread = 1;  // that a thread adds up for: 1, or most_nodes_of_thread where a team has more nodes than threads

  INVAR_HD int teams() const { return (end - begin + cells_per_team - 1) / cells_per_team; }
  INVAR_HD int threads() const { return most_threads; }
  INVAR_HD int shared_size() const { return cells_per_team * cell_size(); }
  /// Numbers of a cell in the team's memory: odd, so that the same number of several cells lies in different banks.
  INVAR_HD int cell_size() const { return (points_at() + cells.n_points * op.numbers(*this)) | 1; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    const int first = begin + team * cells_per_team, left = end - first, here = left < cells_per_team ? left : cells_per_team;
    if constexpr (P == 0) return load(first, here, thread, memory);
    const int per_cell = P == 1 ? cells.n_points : op.items(*this);
    const float by_count = 1.0f / per_cell;
    for (int i = thread; i < here * per_cell; i += most_threads) {
      const int place = cell_of(i, by_count), k = i - place * per_cell;
      if constexpr (P == 1) evaluate(first + place, k, place * cell_size(), memory);
      else collect(first + place, k, place * cell_size(), memory);
    }
  }

 private:
  static constexpr int most_components = dim > nc ? dim : nc;

  /// The cell of an item, by the reciprocal of the number per cell: exact for less than 10⁶ items, and a division of integers takes ten
  /// times as long.
  INVAR_HD static int cell_of(int item, float by_count) { return static_cast<int>((item + 0.5f) * by_count); }

  // Offsets in a cell's part of the team's memory.
  INVAR_HD int x_dot_at() const { return cells.n_nodes * dim; }
  INVAR_HD int u_at() const { return x_dot_at() + (carries_tangent<X> ? cells.n_nodes * dim : 0); }
  INVAR_HD int u_dot_at() const { return u_at() + cells.n_nodes * nt; }
  INVAR_HD int l_at() const { return u_dot_at() + (carries_tangent<U> ? cells.n_nodes * nt : 0); }
  INVAR_HD int points_at() const { return l_at() + (Op::multiplier ? cells.n_nodes * nc : 0); }

  /// visit(values, of dofs instead of nodes, place of a cell's first one in its memory, numbers per node) for all nodal values that Op reads.
  template <class Visit>
  INVAR_HD void each_nodal(const Visit& visit) const {
    visit(state.coordinates, false, 0, dim);
    if constexpr (carries_tangent<X>) visit(state.coordinates_dot, false, x_dot_at(), dim);
    static_for<level_count>([&](auto l) {
      constexpr Level level = static_cast<Level>(int(l));
      if constexpr (reads_level<Q>(level)) {
        constexpr int at = nc * level_position<Q>(level);
        visit(state.unknown[l], true, u_at() + at, nt);
        if constexpr (carries_tangent<U>) visit(state.unknown_dot[l], true, u_dot_at() + at, nt);
      }
    });
    if constexpr (Op::multiplier) visit(state.multiplier, true, l_at(), nc);
  }
  static constexpr int most_nodal = 2 + 2 * level_count + 1;

  /// The nodal values of `count` cells: a component of a node per thread and turn. A thread waits for an index and then for the numbers, so
  /// it asks for those of several turns before it uses the first; what is beyond the end is read from the last item and left.
  template <class Memory>
  INVAR_HD void load(int first, int count, int thread, const Memory& memory) const {
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
        dof[t] = cells.dof_of(c[t] < nc ? c[t] : 0, nodes_before + at[t], at[t] - cell_of(at[t], by_count) * cells.n_nodes);
      });
      static_for<turns>([&](auto t) {
        int k = 0;
        each_nodal([&](const double* values, bool of_dofs, int, int) {
          const int place = of_dofs ? dof[t] : node[t] * dim + (c[t] < dim ? c[t] : 0);
          v[t][k++] = values && place >= 0 ? values[place] : 0.0;
        });
      });
      static_for<turns>([&](auto t) {
        if (i + t * most_threads >= n) return;
        const int cell = cell_of(at[t], by_count), a = at[t] - cell * cells.n_nodes, base = cell * cell_size();
        int k = 0;
        each_nodal([&](const double*, bool of_dofs, int first_place, int width) {
          if (c[t] < (of_dofs ? nc : dim)) memory.write(base + first_place + a * width + c[t], v[t][k]);
          ++k;
        });
      });
    }
  }

  template <class Memory>
  INVAR_HD void evaluate(int cell, int point, int base, const Memory& memory) const {
    const PointColumns shape = cells.column(point);
    X p[coefficient_capacity<Q>()];
    static_for<coefficient_capacity<Q>()>([&](auto k) {
      if (k < n_coefficients) p[k] = coefficient(coefficients[k], cell, shape.geometry);
    });
    DevicePoint<Q, Op> at{q, {}, {}, {}, {}, {}, p, cells.weights[point]};
    interpolate(shape, base, memory, at);
    at.z = slots_of<Q>(at.u, at.Ainv);
    const int first = base + points_at() + point * op.numbers(*this);
    op.template point<Q>(at, *this, [&](int k, const Lane& v) { memory.write(first + k, v[0]); });
  }

  /// Geometry, unknown and multiplier at a point. Where unknown and geometry have the same basis its tables are read once.
  template <class Memory>
  INVAR_HD void interpolate(const PointColumns& shape, int base, const Memory& memory, DevicePoint<Q, Op>& at) const {
    MapSum<X, dim, Q::ref_dim, Q::uses_position> map;
    InterpolationSum<Q, U, nt> u;
    InterpolationSum<Q, Lane, Q::n_components> l;
    const TeamRows<X, dim, Memory> nodal_x{memory, base, base + x_dot_at()};
    const TeamRows<U, nt, Memory> nodal_u{memory, base + u_at(), base + u_dot_at()};
    const TeamRows<Lane, nc, Memory> nodal_l{memory, base + l_at(), 0};
    const auto add_unknown = [&](auto k, int a, double N, const double* dN) {
      u.template add<k>(N, dN, nodal_u[a]);
      if constexpr (Op::multiplier) l.template add<k>(N, dN, nodal_l[a]);
    };
    const int together = cells.isoparametric ? cells.n_nodes : 0;
    INVAR_UNROLL_BY(2)
    for (int a = 0; a < together; ++a) {
      double dN[Q::ref_dim + 1];
      shape.geometry.template slopes<Q::ref_dim>(a, dN);
      map.add(shape.geometry.value(a), dN, nodal_x[a]);
      add_unknown(std::integral_constant<int, 0>(), a, shape.geometry.value(a), dN);
    }
    for (int a = together; a < shape.geometry.n_nodes; ++a) {
      double dN[Q::ref_dim + 1];
      shape.geometry.template slopes<Q::ref_dim>(a, dN);
      map.add(shape.geometry.value(a), dN, nodal_x[a]);
    }
    static_for<basis_count<Q>>([&](auto k) {
      for (int a = k == 0 ? together : 0; a < shape.unknown[k].n_nodes; ++a) {
        double dN[Q::ref_dim + 1];
        shape.unknown[k].template slopes<Q::ref_dim>(a, dN);
        add_unknown(k, a, shape.unknown[k].value(a), dN);
      }
    });
    at.geometry = map.geometry();
    at.Ainv = inverse_map(at.geometry.A);
    at.u = u.values();
    if constexpr (Op::multiplier) at.l = l.values();
  }

  INVAR_HD X coefficient(const CoefficientView& c, int cell, const PointColumn& basis) const {
    if (c.layout == CoefficientView::Layout::constant) return number<X>(c, 0);
    if (c.layout == CoefficientView::Layout::per_cell) return number<X>(c, cells.cell[cell]);
    X sum(0.0);
    for (int a = 0; a < basis.n_nodes; ++a) sum += basis.value(a) * number<X>(c, cells.node[cell * cells.n_nodes + a]);
    return sum;
  }
  template <class B>
  INVAR_HD static B number(const CoefficientView& c, int place) {
    if constexpr (carries_tangent<B>) {
      B b;
      b.value = Lane(c.values[place]);
      b.grad[0] = Lane(c.direction ? c.direction[place] : 0.0);
      return b;
    } else {
      return B(c.values[place]);
    }
  }

  template <class Memory>
  INVAR_HD void collect(int cell, int item, int base, const Memory& memory) const {
    const int numbers = op.numbers(*this), first = base + points_at(), width = op.width(*this), rows = op.rows(cells.n_nodes);
    op.template collect<Q>(
        *this, item, [&](int point, int k) { return Lane(memory.read(first + point * numbers + k)); },
        [&](int row, int k, const Lane& v) {
          const std::size_t at = row < rows ? std::size_t(cell - begin) * rows + row : std::size_t(end - begin) * rows + (cell - begin);
          out[at * width + k] = v[0];
        });
  }
};

}  // namespace invar
