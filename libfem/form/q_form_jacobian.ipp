// Tangent assembly of QForm.
#pragma once

namespace invar {

/// ∂flux/∂z at the points of a batch, then the element matrices. False: they are zero.
template <class Q>
bool QForm<Q>::element_matrix(const BatchGroup& g, int b, const Nodal<Pack>& e, BatchCoefficients<Pack>& p,
                              const PerLevel<double>& weights, ElementMatrix<Q>& Ke) const {
  bool weighted = false;
  for (const Slot& slot : Q::slots) weighted |= weights[slot.level] != 1;
  for (int q = 0; q < g.n_points(); ++q) {
    const auto at = point_state<Q, Pack>(g.at(q, ref_dim), e.X, e.U);
    Ke.set_inverse_map(q, at.Ainv);
    point_tangent(q_, at.z, at.geometry, p.at(g, b, q), Ke.tangent(q));
    if (weighted)
      for (int s = 0; s < ns; ++s)
        for (int t = Q::symmetric ? s : 0; t < ns; ++t) Ke.tangent(q)[s][t] *= weights[Q::slots[t].level];
  }
  if (Ke.vanishes()) return false;
  Ke.contract();
  return true;
}

template <class Q>
void QForm<Q>::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  if constexpr (Functional<Q>) throw std::logic_error("a functional has no residual");
  else add_jacobian(at, weights, K);
}

template <class Q>
void QForm<Q>::add_jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  bool any_weight = false;
  for (const Slot& slot : Q::slots) any_weight |= weights[slot.level] != 0;
  if (!any_weight) return;
  for (const BatchGroup& g : domain_.groups)
    if (g.test[0].n_nodes > 0) throw std::logic_error("a traction has no matrix");
  BatchCoefficients<Pack> coefficients(coefficients_, {}, memory_of(at, {}));
  Nodal<Pack> e;
  for (std::size_t i = 0; i < domain_.groups.size(); ++i) {
    const BatchGroup& g = domain_.groups[i];
    const int pairs = g.n_nodes * g.n_nodes;
    const int* where = K.sink() ? nullptr : places(i, K).data();
    ElementMatrix<Q> Ke(g);
    for (int b = 0; b < g.n_batches; ++b) {
      gather_coordinates(g, b, at, {}, e);
      gather_state(g, b, at, {}, e);
      if (element_matrix(g, b, e, coefficients, weights, Ke))
        scatter_matrix(g, b, where ? where + std::size_t(b) * pairs * simd_width : nullptr, Ke.block(0, 0), Q::basis, Q::symmetric, K);
    }
  }
}

}  // namespace invar
