#pragma once
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

/// A form's element work in three phases: nodal values of the cells of a team into its memory; one thread per quadrature
/// point runs the q-function and leaves a few numbers; one thread per node (or pair of nodes) adds them up. Nothing is
/// summed atomically: what cells give to a node is added in a fixed order afterwards, see PlaceSum.
///
/// Op says what is computed:
///   Geometry, Unknown, multiplier      what is carried, what is read
///   numbers(kernel)                    that a point leaves
///   point(point, write)                calls write(k, number)
///   items(n_nodes), width(kernel)      rows and numbers in a row of what comes out, [cell][item][width]
///   collect(kernel, item, read, write) adds up: read(point, k), write(k, number)
template <class Q, class Op>
struct ElementKernel {
  using Quantity = Q;
  static constexpr int phase_count = 3;
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
  int cells_per_team = 1, team_threads = 32;

  INVAR_HD int teams() const { return (end - begin + cells_per_team - 1) / cells_per_team; }
  INVAR_HD int threads() const { return team_threads; }
  INVAR_HD int shared_size() const { return cells_per_team * cell_size(); }
  INVAR_HD int cell_size() const { return points_at() + cells.n_points * op.numbers(*this); }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    const int first = begin + team * cells_per_team, left = end - first, here = left < cells_per_team ? left : cells_per_team;
    const int per_cell = P == 0 ? cells.n_nodes : P == 1 ? cells.n_points : op.items(cells.n_nodes);
    for (int i = thread; i < here * per_cell; i += team_threads) {
      const int place = i / per_cell, k = i % per_cell;
      if constexpr (P == 0) load(first + place, k, place * cell_size(), memory);
      else if constexpr (P == 1) evaluate(first + place, k, place * cell_size(), memory);
      else collect(first + place, k, place * cell_size(), memory);
    }
  }

 private:
  // Offsets in a cell's part of the team's memory.
  INVAR_HD int x_dot_at() const { return cells.n_nodes * dim; }
  INVAR_HD int u_at() const { return x_dot_at() + (carries_tangent<X> ? cells.n_nodes * dim : 0); }
  INVAR_HD int u_dot_at() const { return u_at() + cells.n_nodes * nt; }
  INVAR_HD int l_at() const { return u_dot_at() + (carries_tangent<U> ? cells.n_nodes * nt : 0); }
  INVAR_HD int points_at() const { return l_at() + (Op::multiplier ? cells.n_nodes * nc : 0); }

  template <class Memory>
  INVAR_HD void load(int cell, int a, int base, const Memory& memory) const {
    const int node = cells.node[cell * cells.n_nodes + a];
    for (int i = 0; i < dim; ++i) {
      memory.write(base + a * dim + i, state.coordinates[node * dim + i]);
      if constexpr (carries_tangent<X>)
        memory.write(base + x_dot_at() + a * dim + i, state.coordinates_dot ? state.coordinates_dot[node * dim + i] : 0.0);
    }
    for (int c = 0; c < nc; ++c) {
      const int dof = cells.dof[(c * cells.n_cells + cell) * cells.n_nodes + a];
      static_for<level_count>([&](auto l) {
        constexpr Level level = static_cast<Level>(int(l));
        if constexpr (reads_level<Q>(level)) {
          constexpr int at = nc * level_position<Q>(level);
          memory.write(base + u_at() + a * nt + at + c, entry(state.unknown[l], dof));
          if constexpr (carries_tangent<U>) memory.write(base + u_dot_at() + a * nt + at + c, entry(state.unknown_dot[l], dof));
        }
      });
      if constexpr (Op::multiplier) memory.write(base + l_at() + a * nc + c, entry(state.multiplier, dof));
    }
  }
  INVAR_HD static double entry(const double* values, int dof) { return values && dof >= 0 ? values[dof] : 0.0; }

  template <class Memory>
  INVAR_HD void evaluate(int cell, int point, int base, const Memory& memory) const {
    const PointShape shape = cells.at(point);
    X p[coefficient_capacity<Q>()];
    static_for<coefficient_capacity<Q>()>([&](auto k) {
      if (k < n_coefficients) p[k] = coefficient(coefficients[k], cell, shape.geometry);
    });
    DevicePoint<Q, Op> at{q, {}, {}, {}, {}, {}, p, cells.weights[point]};
    at.geometry = map_rows<X, dim, Q::ref_dim, Q::uses_position>(shape.geometry, TeamRows<X, dim, Memory>{memory, base, base + x_dot_at()});
    at.Ainv = inverse_map(at.geometry.A);
    at.u = interpolate_rows<Q, U, nt>(shape, TeamRows<U, nt, Memory>{memory, base + u_at(), base + u_dot_at()});
    at.z = slots_of<Q>(at.u, at.Ainv);
    if constexpr (Op::multiplier) at.l = interpolate_rows<Q, Lane, nc>(shape, TeamRows<Lane, nc, Memory>{memory, base + l_at(), 0});
    const int first = base + points_at() + point * op.numbers(*this);
    op.template point<Q>(at, *this, [&](int k, const Lane& v) { memory.write(first + k, v[0]); });
  }

  INVAR_HD X coefficient(const CoefficientView& c, int cell, const PointBasis& basis) const {
    if (c.layout == CoefficientView::Layout::constant) return number<X>(c, 0);
    if (c.layout == CoefficientView::Layout::per_cell) return number<X>(c, cells.cell[cell]);
    X sum(0.0);
    for (int a = 0; a < basis.n_nodes; ++a) sum += basis.N[a] * number<X>(c, cells.node[cell * cells.n_nodes + a]);
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
    const int numbers = op.numbers(*this), first = base + points_at(), width = op.width(*this);
    double* target = out + (std::size_t(cell - begin) * op.items(cells.n_nodes) + item) * width;
    op.template collect<Q>(
        *this, item, [&](int point, int k) { return Lane(memory.read(first + point * numbers + k)); },
        [&](int k, const Lane& v) { target[k] = v[0]; });
  }
};

}  // namespace invar
