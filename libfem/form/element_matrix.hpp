#pragma once
#include <algorithm>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/point_kernel.hpp"

namespace invar {

/// Element matrices ∂r/∂u of one batch, K_ab = Σ_q w B_aᵀ D B_b, with D = ∂flux/∂z at the quadrature points and B_a the shape
/// functions of node a that the slots select. Slots that read the same quantity at several levels select the same shape
/// functions: their rows and columns of D are summed first.
template <class Q>
class ElementMatrix {
 public:
  static constexpr int dim = Q::dim, nc = Q::n_components, ns = slot_count<Q>;

  explicit ElementMatrix(const BatchGroup& g)
      : g_(g), D_(g.n_points()), gradients_(std::size_t(n_bases) * g.n_points() * g.n_nodes * dim),
        DB_(g.n_points()), K_(std::size_t(g.n_nodes) * g.n_nodes * nc * nc) {}

  /// ∂flux/∂z at point q without the quadrature weight, to be filled by the caller (symmetric forms: s ≤ t).
  SlotMatrix<Q>& tangent(int q) { return D_[q]; }
  /// Sets the inverse of ∂X/∂ξ at point q, for slots that are gradients on cells.
  void set_inverse_map(int q, const Matrix<Pack, Q::ref_dim, Q::dim>& Ainv);
  /// Computes the blocks; for symmetric forms those with a ≤ b.
  void contract();

  /// Whether D vanishes at all points.
  bool vanishes() const {
    for (const SlotMatrix<Q>& D : D_)
      for (int s = 0; s < ns; ++s)
        for (int t = Q::symmetric ? s : 0; t < ns; ++t)
          if (any(D[s][t] != 0.0)) return false;
    return true;
  }
  /// [i·nc + j]: derivative of r_i at node a by u_j at node b.
  const Pack* block(int a, int b) const { return &K_[place(a, b)]; }

 private:
  static constexpr int n_bases = basis_count<Q>;
  struct SlotsByComponent { Pack v[ns][nc]; };

  /// The first slot with the shape functions of slot s.
  static constexpr int first_like(int s) {
    int f = 0;
    while (Q::slots[f].component != Q::slots[s].component || Q::slots[f].derivative != Q::slots[s].derivative) ++f;
    return f;
  }
  static constexpr bool picks_anew(int s) { return first_like(s) == s; }
  void add_up_levels();

  static constexpr bool upper(int s, int t) { return !Q::symmetric || s <= t; }
  std::size_t place(int a, int b) const {
    return std::size_t(Q::symmetric ? b * (b + 1) / 2 + a : b * g_.n_nodes + a) * nc * nc;
  }
  Pack* gradients(int basis, int q) {
    return &gradients_[(std::size_t(basis) * g_.n_points() + q) * g_.n_nodes * dim];
  }
  bool has_node(int component, int a) const {
    return n_bases == 1 || a < g_.basis[Q::basis[component]].n_nodes;
  }
  /// Number of nodes with rows. If the only basis has a lower order than the mesh, further nodes have no shape functions; their
  /// blocks are zero.
  int node_end() const { return n_bases == 1 ? g_.basis[0].n_nodes : g_.n_nodes; }
  /// Shape function of slot s at node a and point q: a Pack, or a number if it is the same on all cells.
  template <int s>
  auto shape(int a, int q) {
    constexpr Slot slot = Q::slots[s];
    constexpr int basis = Q::basis[slot.component];
    const Tabulation& t = g_.basis[basis];
    if constexpr (slot.derivative < 0) return t.N[q * t.n_nodes + a];
    else if constexpr (Q::ref_dim == Q::dim) return gradients(basis, q)[a * dim + slot.derivative];
    else return t.dN[(q * t.n_nodes + a) * Q::ref_dim + slot.derivative];
  }
  void multiply(int b);
  template <int Rows>
  void add_blocks(int a, int b);

  const BatchGroup& g_;
  std::vector<SlotMatrix<Q>> D_;         // [point]
  std::vector<Pack> gradients_;       // [basis][point][node][dim], physical
  std::vector<SlotsByComponent> DB_;  // [point], of one node: w D B_b
  std::vector<Pack> K_;
};

template <class Q>
void ElementMatrix<Q>::set_inverse_map(int q, const Matrix<Pack, Q::ref_dim, Q::dim>& Ainv) {
  if constexpr (Q::ref_dim == Q::dim)
    for (int k = 0; k < n_bases; ++k) {
      const Tabulation& t = g_.basis[k];
      Pack* out = gradients(k, q);
      for (int a = 0; a < t.n_nodes; ++a) {
        const double* dN = &t.dN[(q * t.n_nodes + a) * Q::ref_dim];
        for (int i = 0; i < dim; ++i) {
          Pack v = dN[0] * Ainv(0, i);
          for (int m = 1; m < Q::ref_dim; ++m) v += dN[m] * Ainv(m, i);
          *out++ = v;
        }
      }
    }
}

template <class Q>
INVAR_OUTLINE void ElementMatrix<Q>::multiply(int b) {
  for (int q = 0; q < g_.n_points(); ++q) {
    const SlotMatrix<Q>& D = D_[q];
    auto& DB = DB_[q].v;
    static_for<nc>([&](auto j) {
      if (!has_node(j, b)) return;
      Pack B[ns];
      static_for<ns>([&](auto t) {
        if constexpr (Q::slots[t].component == j && picks_anew(t)) B[t] = g_.weights[q] * Pack(shape<t>(b, q));
      });
      static_for<ns>([&](auto s) {
        if constexpr (!picks_anew(s) || !couples<Q>(Q::slots[s].component, j)) return;
        Pack v(0.0);
        static_for<ns>([&](auto t) {
          if constexpr (Q::slots[t].component == j && picks_anew(t)) v += D[upper(s, t) ? s : t][upper(s, t) ? t : s] * B[t];
        });
        DB[s][j] = v;
      });
    });
  }
}

/// Blocks a … a + Rows − 1 of column b: loaded entries of D B are used for several rows. Loops are unrolled so that the blocks
/// stay in registers.
template <class Q>
template <int Rows>
INVAR_OUTLINE void ElementMatrix<Q>::add_blocks(int a, int b) {
  Pack block[Rows][nc * nc];
  static_for<Rows>([&](auto r) { static_for<nc * nc>([&](auto k) { block[r][k] = Pack(0.0); }); });
  for (int q = 0; q < g_.n_points(); ++q) {
    const auto& DB = DB_[q].v;
    static_for<ns>([&](auto s) {
      constexpr int i = Q::slots[s].component;
      if constexpr (!picks_anew(s) || !has_rows<Q>(i)) return;
      Pack row[nc];
      static_for<nc>([&](auto j) { if constexpr (couples<Q>(i, j)) row[j] = DB[s][j]; });
      static_for<Rows>([&](auto r) {
        if (!has_node(i, a + r)) return;
        const Pack N = shape<s>(a + r, q);
        static_for<nc>([&](auto j) { if constexpr (couples<Q>(i, j)) block[r][i * nc + j] += N * row[j]; });
      });
    });
  }
  static_for<Rows>([&](auto r) {
    Pack* out = &K_[place(a + r, b)];
    static_for<nc * nc>([&](auto k) { out[k] = block[r][k]; });
  });
}

template <class Q>
void ElementMatrix<Q>::add_up_levels() {
  for (SlotMatrix<Q>& D : D_) {
    for (int s = 0; s < ns; ++s)
      for (int t = 0; t < ns; ++t)
        if (!picks_anew(t)) D[s][first_like(t)] += D[s][t];
    for (int s = 0; s < ns; ++s)
      for (int t = 0; t < ns; ++t)
        if (!picks_anew(s) && picks_anew(t)) D[first_like(s)][t] += D[s][t];
  }
}

template <class Q>
void ElementMatrix<Q>::contract() {
  constexpr bool several_levels = [] {
    for (int s = 0; s < ns; ++s)
      if (!picks_anew(s)) return true;
    return false;
  }();
  if constexpr (several_levels) add_up_levels();
  for (int b = 0; b < node_end(); ++b) {
    multiply(b);
    const int end = Q::symmetric ? b + 1 : node_end();
    int a = 0;
    for (; a + 2 <= end; a += 2) add_blocks<2>(a, b);
    if (a < end) add_blocks<1>(a, b);
  }
}

}  // namespace invar
