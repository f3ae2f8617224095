// Tangent assembly of QForm.
#pragma once

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
                places_[i][((std::size_t(b) * n + a) * n + c) * simd_width + l] = K.offset(row, col);
            }
    }
    places_of_ = &K;
  }
  return places_[group];
}

template <class Q>
INVAR_OUTLINE typename QForm<Q>::Point QForm<Q>::point_of(const BatchGroup& g, int q, const Nodal<Pack>& e) const {
  const PointShape shape = g.at(q, ref_dim);
  Point point;
  point.geometry = geometry_of<Q, Pack>(shape, e.X);
  point.Ainv = inverse_map(point.geometry.A);
  point.z = slots_of<Q>(interpolate<Q>(shape, e.U), point.Ainv);
  return point;
}

/// ∂flux/∂z at the points of a batch, then the element matrices. False: they are zero.
template <class Q>
bool QForm<Q>::element_matrix(const BatchGroup& g, int b, const Nodal<Pack>& e, BatchCoefficients<Pack>& p,
                              const PerLevel<double>& weights, ElementMatrix<Q>& Ke) const {
  bool weighted = false;
  for (const Slot& slot : Q::slots) weighted |= weights[slot.level] != 1;
  for (int q = 0; q < g.n_points(); ++q) {
    const auto [geometry, Ainv, z] = point_of(g, q, e);
    Ke.set_inverse_map(q, Ainv);
    point_tangent(q_, z, geometry, p.at(g, b, q), Ke.tangent(q));
    if (weighted)
      for (int s = 0; s < ns; ++s)
        for (int t = Q::symmetric ? s : 0; t < ns; ++t) Ke.tangent(q)[s][t] *= weights[Q::slots[t].level];
  }
  if (Ke.vanishes()) return false;
  Ke.contract();
  return true;
}

/// Adds the blocks to the matrix, lane by lane; constrained rows and columns are left out.
template <class Q>
void QForm<Q>::scatter_matrix(const BatchGroup& g, int b, const int* places, const ElementMatrix<Q>& Ke,
                              AssembledMatrix& K) const {
  const int n = g.n_nodes, n_owned_dofs = K.dofs().n_owned(), lanes = g.active[b];
  const int* dofs = &g.dof[std::size_t(b) * n * simd_width];
  const std::vector<char>& fixed = K.constrained();
  const auto components = [&](int a) {  // that live on the cells' node a
    int count = 0;
    for (int c = 0; c < nc; ++c) count += a < g.basis[Q::basis[c]].n_nodes;
    return count;
  };
  bool any_fixed = false;
  for (int a = 0; a < n; ++a)
    for (int l = 0; l < lanes; ++l)
      for (int i = 0; i < components(a); ++i) any_fixed |= fixed[dofs[a * simd_width + l] + i] != 0;

  // Rows of node a, columns of node c; `transposed`: of the block (c, a).
  const auto add = [&](int a, int c, const Pack* block, bool transposed) {
    const int n_i = components(a), n_j = components(c), step_i = transposed ? 1 : nc, step_j = transposed ? nc : 1;
    for (int l = 0; l < lanes; ++l) {
      const int row = dofs[a * simd_width + l], col = dofs[c * simd_width + l];
      if (row >= n_owned_dofs) continue;
      for (int i = 0; i < n_i; ++i) {
        double* target = K.row(row + i, places[(a * n + c) * simd_width + l]);
        for (int j = 0; j < n_j; ++j)
          if (!any_fixed || !(fixed[row + i] || fixed[col + j])) target[j] += block[i * step_i + j * step_j][l];
      }
    }
  };
  for (int c = 0; c < n; ++c)
    for (int a = 0; a < (Q::symmetric ? c + 1 : n); ++a) {
      add(a, c, Ke.block(a, c), false);
      if (Q::symmetric && a < c) add(c, a, Ke.block(a, c), true);
    }
}

template <class Q>
void QForm<Q>::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  bool any_weight = false;
  for (const Slot& slot : Q::slots) any_weight |= weights[slot.level] != 0;
  if (!any_weight) return;
  BatchCoefficients<Pack> coefficients(coefficients_, {}, memory_of(at, {}));
  Nodal<Pack> e;
  for (std::size_t i = 0; i < domain_.groups.size(); ++i) {
    const BatchGroup& g = domain_.groups[i];
    const int pairs = g.n_nodes * g.n_nodes;
    const std::vector<int>& where = places(i, K);
    ElementMatrix<Q> Ke(g);
    for (int b = 0; b < g.n_batches; ++b) {
      gather_coordinates(g, b, at, {}, e);
      gather_state(g, b, at, {}, e);
      if (element_matrix(g, b, e, coefficients, weights, Ke))
        scatter_matrix(g, b, &where[std::size_t(b) * pairs * simd_width], Ke, K);
    }
  }
}

}  // namespace invar
