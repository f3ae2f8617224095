#pragma once
#include <type_traits>

#include "libfem/device/nodal_values.hpp"

namespace invar {

/// Largest number of coefficients that Q reads.
template <class Q>
constexpr int coefficient_capacity() {
  if constexpr (requires { Q::most_coefficients; }) return Q::most_coefficients;
  else return 12;
}

/// Data at a quadrature point. X and U, of geometry and unknown: Lane, or Dual<Lane, 1> with a direction.
template <class Q, class X, class U>
struct DevicePoint {
  const Q& q;
  PointGeometry<X, Q::dim, Q::ref_dim> geometry;
  Matrix<X, Q::ref_dim, Q::dim> Ainv;
  ReferenceValues<Q, U> u;
  SlotArray<Q, U> z;
  ReferenceValues<Q, Lane, Q::n_components> l;  // of the multiplier, where the operation reads it
  X* p;                                         // coefficients
  double weight;
};

/// Geometry, unknown and multiplier at a point. Where unknown and geometry have the same basis its tables are read once.
template <bool Multiplier, class Q, class X, class U, class Nodes, class Memory>
INVAR_SHARED void interpolate(const Nodes& nodes, const PointColumns& shape, int base, const Memory& memory, DevicePoint<Q, X, U>& at) {
  MapSum<X, Q::dim, Q::ref_dim, Q::uses_position> map;
  InterpolationSum<Q, U, trial_count<Q>> u;
  InterpolationSum<Q, Lane, Q::n_components> l;
  const auto nodal_x = nodes.x(memory, base);
  const auto nodal_u = nodes.u(memory, base);
  const auto nodal_l = nodes.l(memory, base);
  const auto add_unknown = [&](auto k, int a, double N, const double* dN) {
    u.template add<k>(N, dN, nodal_u[a]);
    if constexpr (Multiplier) l.template add<k>(N, dN, nodal_l[a]);
  };
  const int together = nodes.cells.isoparametric ? nodes.cells.n_nodes : 0;
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
  if constexpr (Multiplier) at.l = l.values();
  at.z = slots_of<Q>(at.u, at.Ainv);
}

template <class B>
INVAR_HD B coefficient_number(const CoefficientView& c, int place) {
  if constexpr (carries_tangent<B>) {
    B b;
    b.value = Lane(c.values[place]);
    b.grad[0] = Lane(c.direction ? c.direction[place] : 0.0);
    return b;
  } else {
    return B(c.values[place]);
  }
}
template <class X>
INVAR_HD X coefficient_at(const CellView& cells, const CoefficientView& c, int cell, const PointColumn& basis) {
  if (c.layout == CoefficientView::Layout::constant) return coefficient_number<X>(c, 0);
  if (c.layout == CoefficientView::Layout::per_cell) return coefficient_number<X>(c, cells.cell[cell]);
  X sum(0.0);
  for (int a = 0; a < basis.n_nodes; ++a) sum += basis.value(a) * coefficient_number<X>(c, cells.node[cell * cells.n_nodes + a]);
  return sum;
}
/// The first `count` of N coefficients at a point.
template <int N, class X>
INVAR_SHARED void evaluate_coefficients(const CellView& cells, const CoefficientView (&all)[N], int count, int cell, const PointColumn& basis, X (&p)[N]) {
  static_for<N>([&](auto k) {
    if (k < count) p[k] = coefficient_at<X>(cells, all[k], cell, basis);
  });
}

/// What the points of a cell have left in the team's memory.
template <class Memory>
struct PointNumbers {
  const Memory& memory;
  int first, count;  // place of the first, numbers of a point

  INVAR_HD Lane operator()(int point, int k) const { return Lane(memory.read(first + point * count + k)); }
};
/// The rows of a cell among those of n_cells.
struct CellSums {
  double* out;
  int cell, n_cells, rows, width;

  INVAR_HD void operator()(int row, int k, const Lane& v) const {
    const std::size_t at = row < rows ? std::size_t(cell) * rows + row : std::size_t(n_cells) * rows + cell;
    out[at * width + k] = v[0];
  }
};

inline constexpr int most_nodes_of_thread = 3;

/// A form's element work in three phases: nodal values of the cells of a team into its memory, neighbouring threads those of a node; one
/// thread per quadrature point runs the q-function and leaves a few numbers; then threads add them up. Nothing is summed atomically: what
/// cells give to a node is added in a fixed order afterwards, see PlaceSum.
///
/// Op says what is computed:
///   Geometry, Unknown, multiplier      what is carried, what is read
///   least_teams<Q>                     4: at most 128 registers, 3: 168, 2: 255
///   numbers(kernel)                    that a point leaves
///   point(point, write)                calls write(k, number)
///   rows(n_nodes), width(kernel)       rows of a cell and numbers in a row of what comes out: [cell][row][width], and after these of all
///                                      cells, where Op gives them, [cell][width], which counts as row number `rows`
///   items(kernel)                      threads of a cell for
///   collect(kernel, item, read, write) adds up: read(point, k), write(row, k, number)
template <class Q, class Op>
struct ElementKernel {
  using Quantity = Q;
  static constexpr int phase_count = 3, least_teams = Op::template least_teams<Q>;
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
    if constexpr (P == 0) return nodes().load(first, here, cell_size(), thread, memory);
    const int per_cell = P == 1 ? cells.n_points : op.items(*this);
    const float by_count = 1.0f / per_cell;
    for (int i = thread; i < here * per_cell; i += most_threads) {
      const int place = Nodes::cell_of(i, by_count), k = i - place * per_cell;
      if constexpr (P == 1) evaluate(first + place, k, place * cell_size(), memory);
      else collect(first + place, k, place * cell_size(), memory);
    }
  }

 private:
  using Nodes = NodalValues<X, U, dim, nc, levels_read<Q>(), Op::multiplier>;
  INVAR_HD Nodes nodes() const { return {cells, state}; }
  INVAR_HD int points_at() const { return nodes().end(); }

  template <class Memory>
  INVAR_HD void evaluate(int cell, int point, int base, const Memory& memory) const {
    const PointColumns shape = cells.column(point);
    X p[coefficient_capacity<Q>()];
    evaluate_coefficients(cells, coefficients, n_coefficients, cell, shape.geometry, p);
    DevicePoint<Q, X, U> at{q, {}, {}, {}, {}, {}, p, cells.weights[point]};
    interpolate<Op::multiplier>(nodes(), shape, base, memory, at);
    const int first = base + points_at() + point * op.numbers(*this);
    op.template point<Q>(at, *this, [&](int k, const Lane& v) { memory.write(first + k, v[0]); });
  }

  template <class Memory>
  INVAR_HD void collect(int cell, int item, int base, const Memory& memory) const {
    const PointNumbers<Memory> read{memory, base + points_at(), op.numbers(*this)};
    op.template collect<Q>(*this, item, read, CellSums{out, cell - begin, end - begin, op.rows(cells.n_nodes), op.width(*this)});
  }
};

}  // namespace invar
