// Tangent assembly of QForm.
#pragma once
#include <algorithm>

namespace invar {

/// Offsets of all node pairs in the matrix's rows, looked up once per matrix.
template <class Q>
const std::vector<int>& QForm<Q>::places(std::size_t group, const AssembledMatrix& K) const {
  if (places_of_ != &K) {
    const int n_owned = K.dofs().mesh().n_owned_nodes;
    places_.assign(domain_.groups.size(), {});
    for (std::size_t i = 0; i < domain_.groups.size(); ++i) {
      const BatchGroup& g = domain_.groups[i];
      const int n = g.n_nodes;
      places_[i].assign(std::size_t(g.n_batches) * n * n * simd_width, 0);
      for (int b = 0; b < g.n_batches; ++b)
        for (int a = 0; a < n; ++a)
          for (int c = 0; c < n; ++c)
            for (int l = 0; l < g.active[b]; ++l) {
              const int row = g.node[(std::size_t(b) * n + a) * simd_width + l];
              const int col = g.node[(std::size_t(b) * n + c) * simd_width + l];
              if (row < n_owned)
                places_[i][((std::size_t(b) * simd_width + l) * n + a) * n + c] = K.offset(row, col);
            }
    }
    places_of_ = &K;
  }
  return places_[group];
}

/// Ke[(a·n + b)·nc² + i·nc + j]; for symmetric forms only a ≤ b is filled.
template <class Q>
void QForm<Q>::element_matrix(const BatchGroup& g, int b, const Nodal<Pack>& e, BatchCoefficients<Pack>& p,
                              std::vector<Pack>& Ke, std::vector<Pack>& scratch) const {
  const int n = g.n_nodes, points = g.n_points();
  // Per point: D = ∂flux/∂z · weight, and the slot's shape functions: physical gradients per basis.
  constexpr int d_size = ns * ns;
  const int grad_size = n * Q::dim;
  Pack* D = scratch.data();                                    // [point][ns][ns]
  Pack* grads = D + points * d_size;                           // [point][basis][node][dim]
  Pack* DB = grads + points * 2 * grad_size;                   // [point][ns][nc]
  constexpr int n_bases = 1 + *std::max_element(Q::basis.begin(), Q::basis.end());
  for (int q = 0; q < points; ++q) {
    const auto geometry = geometry_of<Q, Pack>(g, q, e.X);
    const auto Ainv = inverse_map(geometry.A);
    const auto z = slots_of<Q>(interpolate<Q, Pack>(g, q, e.U), Ainv);
    const Pack* coefficients = p.at(g, b, q);
    Pack* Dq = D + q * d_size;
    if constexpr (HasTangent<Q>) {
      const auto t = q_.tangent(z, geometry, coefficients);
      for (int s = 0; s < ns; ++s)
        for (int r = 0; r < ns; ++r) Dq[s * ns + r] = g.weights[q] * t[s][r];
    } else {
      using DualZ = Dual<Pack, ns>;
      SlotArray<Q, DualZ> zd;
      for (int s = 0; s < ns; ++s) zd[s] = DualZ::variable(z[s], s);
      const auto f = point_flux<Q, DualZ, Pack, Pack>(q_, zd, geometry, coefficients);
      for (int s = 0; s < ns; ++s)
        for (int r = 0; r < ns; ++r) Dq[s * ns + r] = g.weights[q] * f[s].grad[r];
    }
    if constexpr (Q::ref_dim == Q::dim)
      static_for<n_bases>([&](auto k) {
        const Tabulation& t = g.basis[k];
        for (int a = 0; a < t.n_nodes; ++a)
          for (int i = 0; i < Q::dim; ++i) {
            Pack v(0.0);
            for (int m = 0; m < Q::ref_dim; ++m) v += t.dN[(q * t.n_nodes + a) * Q::ref_dim + m] * Ainv(m, i);
            grads[(q * 2 + k) * grad_size + a * Q::dim + i] = v;
          }
      });
  }
  // Shape function of slot s at node a and point q.
  const auto shape = [&](auto s, int a, int q) {
    constexpr Slot slot = Q::slots[s];
    constexpr int basis = Q::basis[slot.component];
    const Tabulation& t = g.basis[basis];
    if constexpr (slot.derivative < 0) return t.N[q * t.n_nodes + a];
    else if constexpr (Q::ref_dim == Q::dim) return grads[(q * 2 + basis) * grad_size + a * Q::dim + slot.derivative];
    else return t.dN[(q * t.n_nodes + a) * Q::ref_dim + slot.derivative];
  };
  for (int bb = 0; bb < n; ++bb) {
    for (int q = 0; q < points; ++q) {
      const Pack* Dq = D + q * d_size;
      Pack* DBq = DB + q * ns * nc;
      static_for<nc>([&](auto j) {
        if (bb >= g.basis[Q::basis[j]].n_nodes) return;
        static_for<ns>([&](auto s) {
          Pack v(0.0);
          static_for<ns>([&](auto t) {
            if constexpr (Q::slots[t].component == j) v += Dq[s * ns + t] * shape(t, bb, q);
          });
          DBq[s * nc + j] = v;
        });
      });
    }
    for (int a = 0; a <= (Q::symmetric ? bb : n - 1); ++a) {
      Pack block[nc][nc];
      for (int i = 0; i < nc; ++i)
        for (int j = 0; j < nc; ++j) block[i][j] = Pack(0.0);
      for (int q = 0; q < points; ++q) {
        const Pack* DBq = DB + q * ns * nc;
        static_for<ns>([&](auto s) {
          constexpr int i = Q::slots[s].component;
          if (n_bases > 1 && a >= g.basis[Q::basis[i]].n_nodes) return;
          const auto N = shape(s, a, q);
          for (int j = 0; j < nc; ++j) block[i][j] += N * DBq[s * nc + j];
        });
      }
      Pack* out = &Ke[std::size_t(a * n + bb) * nc * nc];
      for (int i = 0; i < nc; ++i)
        for (int j = 0; j < nc; ++j) out[i * nc + j] = block[i][j];
    }
  }
}

template <class Q>
void QForm<Q>::scatter_matrix(const BatchGroup& g, int b, const int* places, const std::vector<Pack>& Ke,
                              AssembledMatrix& K) const {
  const int n = g.n_nodes, n_owned_dofs = K.dofs().n_owned();
  const std::vector<char>& fixed = K.constrained();
  const auto components = [&](int a) {  // that live on the cell's node a
    int count = 0;
    for (int c = 0; c < nc; ++c) count += a < g.basis[Q::basis[c]].n_nodes;
    return count;
  };
  for (int l = 0; l < g.active[b]; ++l) {
    const auto dof = [&](int a) { return g.dof[(std::size_t(b) * n + a) * simd_width + l]; };
    bool any_fixed = false;
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < components(a); ++i) any_fixed |= fixed[dof(a) + i] != 0;
    for (int a = 0; a < n; ++a) {
      const int row = dof(a), n_i = components(a);
      if (row >= n_owned_dofs) continue;
      for (int c = 0; c < n; ++c) {
        const int col = dof(c), n_j = components(c);
        const int place = places[std::size_t(l) * n * n + a * n + c];
        const bool mirrored = Q::symmetric && a > c;
        const Pack* block = &Ke[std::size_t(mirrored ? c * n + a : a * n + c) * nc * nc];
        for (int i = 0; i < n_i; ++i) {
          double* target = K.row(row + i, place);
          for (int j = 0; j < n_j; ++j) {
            if (any_fixed && (fixed[row + i] || fixed[col + j])) continue;
            target[j] += mirrored ? block[j * nc + i][l] : block[i * nc + j][l];
          }
        }
      }
    }
  }
}

template <class Q>
void QForm<Q>::jacobian(const FormState& at, AssembledMatrix& K) const {
  BatchCoefficients<Pack> coefficients(coefficients_, {});
  Nodal<Pack> e;
  std::vector<Pack> Ke, scratch;
  for (std::size_t i = 0; i < domain_.groups.size(); ++i) {
    const BatchGroup& g = domain_.groups[i];
    const int n = g.n_nodes, points = g.n_points();
    const std::vector<int>& where = places(i, K);
    Ke.resize(std::size_t(n) * n * nc * nc);
    scratch.resize(std::size_t(points) * (ns * ns + 2 * n * Q::dim + ns * nc));
    for (int b = 0; b < g.n_batches; ++b) {
      gather_coordinates(g, b, at, {}, e);
      gather_unknown(g, b, at.unknown, nullptr, e.U);
      element_matrix(g, b, e, coefficients, Ke, scratch);
      scatter_matrix(g, b, &where[std::size_t(b) * simd_width * n * n], Ke, K);
    }
  }
}

}  // namespace invar
