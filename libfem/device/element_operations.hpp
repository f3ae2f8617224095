#pragma once
#include "libfem/device/element_kernel.hpp"
#include "libfem/form/measured_gradient.hpp"

/// Operations of ElementKernel. Produced rows: one per node and one for the cell itself; for the tangent one per pair of nodes.
namespace invar::device {

/// Place of the value of nodal number c (of N) among the numbers that a point leaves: of each only what Q reads, the value and ref_dim
/// derivatives.
template <class Q, int N>
constexpr int reference_place(int c) {
  int place = 0;
  for (int i = 0; i < c; ++i) place += (is_read<Q, false, N>(i) ? 1 : 0) + (is_read<Q, true, N>(i) ? Q::ref_dim : 0);
  return place;
}
template <class Q, int N>
inline constexpr int reference_numbers = reference_place<Q, N>(N);

template <class Q, int N, class Write>
INVAR_HD void write_reference(const ReferenceValues<Q, Lane, N>& r, const Write& write) {
  static_for<N>([&](auto c) {
    constexpr int value = reference_place<Q, N>(c), slopes = value + (is_read<Q, false, N>(c) ? 1 : 0);
    if constexpr (is_read<Q, false, N>(c)) write(value, r.value[c]);
    if constexpr (is_read<Q, true, N>(c))
      for (int m = 0; m < Q::ref_dim; ++m) write(slopes + m, r.grad[c][m]);
  });
}

/// Contributions of the points to N numbers at `Count` nodes from `first` on: the transpose of interpolation. A component that has no
/// function at a node reads the one of node 0, so that no thread waits at a branch, and its sum is left.
template <class Q, int N, int Count, class Read, class Write>
INVAR_SHARED void collect_nodes(const CellView& cells, int first, const Read& read, const Write& write) {
  Lane sum[Count][N];
  for (auto& row : sum)
    for (Lane& s : row) s = Lane(0.0);
  INVAR_UNROLL_BY(4)
  for (int q = 0; q < cells.n_points; ++q) {
    const PointShape shape = cells.at(q);
    ReferenceValues<Q, Lane, N> r;
    static_for<N>([&](auto c) {
      constexpr int value = reference_place<Q, N>(c), slopes = value + (is_read<Q, false, N>(c) ? 1 : 0);
      if constexpr (is_read<Q, false, N>(c)) r.value[c] = read(q, value);
      if constexpr (is_read<Q, true, N>(c))
        for (int m = 0; m < Q::ref_dim; ++m) r.grad[c][m] = read(q, slopes + m);
    });
    static_for<Count>([&](auto j) {
      static_for<N>([&](auto c) {
        const PointBasis& basis = shape.unknown[Q::basis[c % Q::n_components]];
        add_share<Q, c>(basis, first + j < basis.n_nodes ? first + j : 0, r, sum[j][c]);
      });
    });
  }
  const PointShape shape = cells.at(0);
  static_for<Count>([&](auto j) {
    if (first + j >= cells.n_nodes) return;
    static_for<N>([&](auto c) { write(first + j, c, first + j < shape.unknown[Q::basis[c % Q::n_components]].n_nodes ? sum[j][c] : Lane(0.0)); });
  });
}
/// The same for the nodes of an item: see ElementKernel::nodes_of_thread.
template <class Q, int N, class Kernel, class Read, class Write>
INVAR_HD void collect_item(const Kernel& kernel, int item, const Read& read, const Write& write) {
  if (kernel.nodes_of_thread == 1) collect_nodes<Q, N, 1>(kernel.cells, item, read, write);
  else collect_nodes<Q, N, most_nodes_of_thread>(kernel.cells, item * most_nodes_of_thread, read, write);
}

/// Mixed forms of solids, which need the most registers: numbers that do not fit are stored in memory.
template <class Q>
inline constexpr bool is_mixed_solid = HasMaterial<Q> && basis_count<Q> > 1;

/// Operations with a row per node, a row for the cell, or both.
template <bool Nodes, bool Cell>
struct RowsOf {
  INVAR_HD int rows(int n_nodes) const { return n_nodes; }
  template <class K>
  INVAR_HD int items(const K& kernel) const { return node_items(kernel) + (Cell ? 1 : 0); }
  template <class K>
  INVAR_HD static int node_items(const K& kernel) {
    return !Nodes ? 0 : kernel.nodes_of_thread == 1 ? kernel.cells.n_nodes : (kernel.cells.n_nodes + most_nodes_of_thread - 1) / most_nodes_of_thread;
  }
};

/// r, and in the cell's row the smallest admissibility value at its points (∞ if there is none).
struct Residual : RowsOf<true, true> {
  using Geometry = Lane;
  using Unknown = Lane;
  template <class Q>
  static constexpr int least_teams = 4;
  static constexpr bool multiplier = false;

  template <class K>
  INVAR_HD int numbers(const K&) const { return reference_numbers<typename K::Quantity, K::nc> + 1; }
  template <class K>
  INVAR_HD int width(const K&) const { return K::nc; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    if constexpr (HasAdmissibility<Q>) write(reference_numbers<Q, Q::n_components>, at.q.admissibility(at.z, at.geometry));
    else write(reference_numbers<Q, Q::n_components>, Lane(1.0));
    auto f = point_flux<Q, Lane, Lane, Lane>(at.q, at.z, at.geometry, at.p);
    for (auto& v : f) v = at.weight * v;
    write_reference<Q, Q::n_components>(pull_back<Q, Lane>(f, at.Ainv), write);
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    if (item < node_items(kernel)) return collect_item<Q, Q::n_components>(kernel, item, read, write);
    Lane worst = read(0, reference_numbers<Q, Q::n_components>);
    for (int q = 1; q < kernel.cells.n_points; ++q) {
      const Lane v = read(q, reference_numbers<Q, Q::n_components>);
      if (worst[0] == worst[0] && !(v[0] >= worst[0])) worst = v;  // NaN is kept
    }
    write(kernel.cells.n_nodes, 0, worst);
  }
};

/// ṙ along a direction of the unknown, with constant coordinates and coefficients. For symmetric forms also the transposed product.
struct Product : RowsOf<true, false> {
  using Geometry = Lane;
  using Unknown = Dual<Lane, 1>;
  template <class Q>
  static constexpr int least_teams = is_mixed_solid<Q> ? 3 : 4;
  static constexpr bool multiplier = false;

  template <class K>
  INVAR_HD int numbers(const K&) const { return reference_numbers<typename K::Quantity, K::nc>; }
  template <class K>
  INVAR_HD int width(const K&) const { return K::nc; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    const auto f = point_flux<Q, Unknown, Lane, Lane>(at.q, at.z, at.geometry, at.p);
    SlotArray<Q, Lane> f_dot;
    for (int s = 0; s < slot_count<Q>; ++s) f_dot[s] = at.weight * f[s].grad[0];
    write_reference<Q, Q::n_components>(pull_back<Q, Lane>(f_dot, at.Ainv), write);
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    collect_item<Q, Q::n_components>(kernel, item, read, write);
  }
};

/// The value of a density, in the cell's row.
struct Value : RowsOf<false, true> {
  using Geometry = Lane;
  using Unknown = Lane;
  template <class Q>
  static constexpr int least_teams = 4;
  static constexpr bool multiplier = false;

  template <class K>
  INVAR_HD int numbers(const K&) const { return 1; }
  template <class K>
  INVAR_HD int width(const K&) const { return 1; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    write(0, at.weight * Lane(at.q.density(at.z, at.geometry, at.p)));
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int, const Read& read, const Write& write) const {
    Lane sum(0.0);
    for (int q = 0; q < kernel.cells.n_points; ++q) sum += read(q, 0);
    write(kernel.cells.n_nodes, 0, sum);
  }
};

/// The transposed products of s = point_scalar<S>, the density or the work on a multiplier:
template <PointScalar S>
struct Vjp : RowsOf<true, false> {
  using Geometry = Lane;
  using Unknown = Lane;
  template <class Q>
  static constexpr int least_teams = 3;
  static constexpr bool multiplier = S == PointScalar::work;

  double seed = 1;

  template <class Q, class Point>
  INVAR_HD static SlotArray<Q, Lane> multiplier_slots(const Point& at) {
    SlotArray<Q, Lane> y{};
    if constexpr (multiplier) y = slots_of<Q>(at.l, at.Ainv);
    return y;
  }
};

/// … for the unknown, at all levels that Q reads.
template <PointScalar S>
struct UnknownVjp : Vjp<S> {
  template <class K>
  INVAR_HD int numbers(const K&) const { return reference_numbers<typename K::Quantity, K::nt>; }
  template <class K>
  INVAR_HD int width(const K&) const { return K::nt; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    const auto y = Vjp<S>::template multiplier_slots<Q>(at);
    SlotArray<Q, Lane> z_bar = slot_gradient<S, Q, Lane, Lane>(at.q, at.z, y, at.geometry, at.p);
    for (auto& v : z_bar) v = (this->seed * at.weight) * v;
    write_reference<Q, Kernel::nt>(pull_back<Q, Lane, Kernel::nt>(z_bar, at.Ainv), write);
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    collect_item<Q, Kernel::nt>(kernel, item, read, write);
  }
};

/// … for the coordinates.
template <PointScalar S>
struct CoordinateVjp : Vjp<S> {
  template <class K>
  INVAR_HD int items(const K& kernel) const { return kernel.cells.n_nodes; }
  template <class K>
  INVAR_HD int numbers(const K&) const { return K::dim * (K::Quantity::ref_dim + (K::Quantity::uses_position ? 1 : 0)); }
  template <class K>
  INVAR_HD int width(const K&) const { return K::dim; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    const double w = this->seed * at.weight;
    const auto g_bar = gradient<Q>(at);
    for (int k = 0; k < Q::dim * Q::ref_dim; ++k) write(k, w * g_bar.A.entries[k]);
    if constexpr (Q::uses_position)
      for (int i = 0; i < Q::dim; ++i) write(Q::dim * Q::ref_dim + i, w * g_bar.x[i]);
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    constexpr int dim = Q::dim, entries = dim * Q::ref_dim;
    Lane sum[dim];
    for (Lane& s : sum) s = Lane(0.0);
    INVAR_UNROLL_BY(4)
    for (int q = 0; q < kernel.cells.n_points; ++q) {
      PointGeometry<Lane, dim, Q::ref_dim> g_bar;
      for (int k = 0; k < entries; ++k) g_bar.A.entries[k] = read(q, k);
      if constexpr (Q::uses_position)
        for (int i = 0; i < dim; ++i) g_bar.x[i] = read(q, entries + i);
      const PointBasis basis = kernel.cells.at(q).geometry;
      for (int i = 0; i < dim; ++i) add_geometry_share<Lane, dim, Q::ref_dim, Q::uses_position>(basis, item, i, g_bar, sum[i]);
    }
    for (int i = 0; i < dim; ++i) write(item, i, sum[i]);
  }

 private:
  template <class Q, class Point>
  INVAR_HD static auto gradient(const Point& at) {
    if constexpr (ScalesWithMeasure<Q> && Q::symmetric)
      return measured_gradient<S, Q, Lane, Lane>(at.q, at.z, Vjp<S>::template multiplier_slots<Q>(at), at.geometry, at.Ainv, at.p);
    else return geometry_gradient<S, Q, Lane, Lane, 1>(at.q, at.u, at.l, at.geometry, at.p);
  }
};

/// … for the wanted coefficients: nodal ones in the rows of nodes, others in the cell's row.
template <PointScalar S>
struct CoefficientVjp : Vjp<S> {
  unsigned wanted = 0;  // bit k: coefficient k
  bool nodal = false;   // some of them are

  template <class K>
  INVAR_HD int items(const K& kernel) const { return (nodal ? kernel.cells.n_nodes : 0) + 1; }
  template <class K>
  INVAR_HD int numbers(const K& kernel) const { return kernel.n_coefficients; }
  template <class K>
  INVAR_HD int width(const K& kernel) const { return kernel.n_coefficients; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel& kernel, const Write& write) const {
    using D = Dual<Lane, 1>;
    const auto y = Vjp<S>::template multiplier_slots<Q>(at);
    D p1[coefficient_capacity<Q>()];
    static_for<coefficient_capacity<Q>()>([&](auto k) {
      if (k < kernel.n_coefficients) p1[k] = D(at.p[k]);
    });
    const double w = this->seed * at.weight;
    if constexpr (coefficient_capacity<Q>() <= 3) {  // in registers
      static_for<coefficient_capacity<Q>()>([&](auto k) {
        if (wanted >> k & 1) write(k, w * coefficient_gradient<S, Q, Lane>(at.q, at.z, y, at.geometry, p1, k));
      });
    } else {
      for (int k = 0; k < kernel.n_coefficients; ++k)
        if (wanted >> k & 1) write(k, w * coefficient_gradient<S, Q, Lane>(at.q, at.z, y, at.geometry, p1, k));
    }
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    const bool of_cell = !nodal || item == kernel.cells.n_nodes;
    for (int k = 0; k < kernel.n_coefficients; ++k) {
      if (!(wanted >> k & 1)) continue;
      Lane sum(0.0);
      for (int q = 0; q < kernel.cells.n_points; ++q) {
        if (of_cell) sum += read(q, k);
        else sum += kernel.cells.at(q).geometry.N[item] * read(q, k);
      }
      write(of_cell ? kernel.cells.n_nodes : item, k, sum);
    }
  }
};

/// Element matrices Σ_k weights[k] ∂r/∂u_k, blocks [component][component] of pairs (a, b) of n nodes in the order a · n + b, or of nodes a.
struct Tangent {
  using Geometry = Lane;
  using Unknown = Lane;
  template <class Q>
  static constexpr int least_teams = is_mixed_solid<Q> ? 2 : 3;
  static constexpr bool multiplier = false;

  double weights[level_count] = {1, 1, 1, 1};
  NodePairs pairs = NodePairs::all;
  int n_vertices = 0;  // of the cells, for pairs of them

  INVAR_HD int rows(int n_nodes) const {
    return pairs == NodePairs::all ? n_nodes * n_nodes : pairs == NodePairs::same ? n_nodes : n_vertices * n_vertices;
  }
  template <class K>
  INVAR_HD int items(const K& kernel) const { return rows(kernel.cells.n_nodes); }
  template <class K>
  INVAR_HD int numbers(const K&) const {
    constexpr int ns = slot_count<typename K::Quantity>;
    return ns * ns + K::Quantity::ref_dim * K::dim;
  }
  template <class K>
  INVAR_HD int width(const K&) const { return K::nc * K::nc; }

  template <class Q, class Point, class Kernel, class Write>
  INVAR_HD void point(const Point& at, const Kernel&, const Write& write) const {
    constexpr int ns = slot_count<Q>;
    using D = Dual<Lane, 1>;
    for (int t = 0; t < ns; ++t) {  // column by column, because all of ∂flux/∂z does not fit into registers
      double w = 0;
      static_for<ns>([&](auto k) {
        constexpr Level level = Q::slots[k].level;
        if (k == t) w = at.weight * weights[static_cast<int>(level)];
      });
      SlotArray<Q, D> z;
      for (int s = 0; s < ns; ++s) z[s] = seeded<D>(at.z[s], s, t);
      const auto f = point_flux<Q, D, Lane, Lane>(at.q, z, at.geometry, at.p);
      for (int s = 0; s < ns; ++s) write(s * ns + t, w * f[s].grad[0]);
    }
    for (int k = 0; k < Q::ref_dim * Q::dim; ++k) write(ns * ns + k, at.Ainv.entries[k]);
  }
  /// The shape function of slot s at a node and a point.
  template <class Q, int s, class Read>
  INVAR_HD static Lane shape(const PointBasis& basis, int node, int point, const Read& read) {
    constexpr Slot slot = Q::slots[s];
    constexpr int ns = slot_count<Q>;
    if (node >= basis.n_nodes) return Lane(0.0);
    if constexpr (slot.derivative < 0) {
      return Lane(basis.N[node]);
    } else if constexpr (Q::ref_dim != Q::dim) {
      return Lane(basis.dN[node * Q::ref_dim + slot.derivative]);
    } else {
      Lane v(0.0);
      for (int m = 0; m < Q::ref_dim; ++m) v += basis.dN[node * Q::ref_dim + m] * read(point, ns * ns + m * Q::dim + slot.derivative);
      return v;
    }
  }
  template <class Q, class Kernel, class Read, class Write>
  INVAR_HD void collect(const Kernel& kernel, int item, const Read& read, const Write& write) const {
    constexpr int ns = slot_count<Q>, nc = Q::n_components;
    const bool linear = pairs == NodePairs::vertices;
    const int n = linear ? n_vertices : kernel.cells.n_nodes;
    const int a = pairs == NodePairs::same ? item : item / n, b = pairs == NodePairs::same ? item : item % n;
    Lane K[nc * nc];
    for (Lane& v : K) v = Lane(0.0);
    for (int q = 0; q < kernel.cells.n_points; ++q) {
      const PointShape at = kernel.cells.at(q);
      Lane B_a[ns], B_b[ns];
      static_for<ns>([&](auto s) {
        const PointBasis basis = linear ? kernel.cells.linear_at(q) : at.unknown[Q::basis[Q::slots[s].component]];
        B_a[s] = shape<Q, s>(basis, a, q, read);
        B_b[s] = shape<Q, s>(basis, b, q, read);
      });
      static_for<ns>([&](auto s) {
        static_for<ns>([&](auto t) {
          constexpr int place = Q::slots[s].component * nc + Q::slots[t].component;
          K[place] += B_a[s] * read(q, s * ns + t) * B_b[t];
        });
      });
    }
    for (int k = 0; k < nc * nc; ++k) write(item, k, K[k]);
  }
};

}  // namespace invar::device
