// Value, residual and their derivatives of QForm: forward and reverse, one under the other.
#pragma once

namespace invar {

template <class Q>
template <class B>
void QForm<Q>::gather_coordinates(const BatchGroup& g, int b, const FormState& at, const FormTangent& d,
                                  Nodal<B>& e) const {
  const int* node = &g.node[std::size_t(b) * g.n_nodes * simd_width];
  for (int i = 0; i < dim; ++i) gather_nodes(at.coordinates, d.coordinates, node, g.n_nodes, dim, i, &e.X[0][i], dim);
}

template <class Q>
template <class B, int N>
void QForm<Q>::gather_unknown(const BatchGroup& g, int b, const double* v, const double* direction, int first,
                              B (*out)[N]) const {
  for (int c = 0; c < nc; ++c) {
    const auto [dof, shift] = g.dofs(c, b);
    gather_nodes(v, direction, dof, g.basis[Q::basis[c]].n_nodes, 1, shift, &out[0][first + c], N);
  }
}

template <class Q>
template <class B>
void QForm<Q>::gather_state(const BatchGroup& g, int b, const FormState& at, const FormTangent& d,
                            Nodal<B>& e) const {
  for (Level level : all_levels)
    if (reads_level<Q>(level))
      gather_unknown(g, b, at.unknown[level], d.unknown[level], nc * level_position<Q>(level), e.U);
}

template <class Q>
template <class B, int N>
void QForm<Q>::scatter_unknown(const BatchGroup& g, int b, const B (*v)[N], int first, double* target) const {
  for (int c = 0; c < nc; ++c) {
    const auto [dof, shift] = g.dofs(c, b);
    scatter_nodes(&v[0][first + c], N, dof, g.basis[Q::basis[c]].n_nodes, 1, shift, g.active[b], target);
  }
}

template <class Q>
template <class B>
double QForm<Q>::sum_density(const FormState& at, const FormTangent& direction) const {
  double total = 0;
  if constexpr (HasDensity<Q>) {
    BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory_of(at, direction));
    Nodal<B> e;
    for (const BatchGroup& g : domain_.groups)
      for (int b = 0; b < g.n_batches; ++b) {
        if (g.owned[b] == 0) continue;
        gather_coordinates(g, b, at, direction, e);
        gather_state(g, b, at, direction, e);
        Pack sum(0.0);
        for (int q = 0; q < g.n_points(); ++q) {
          const auto point = point_state<Q, B>(g.at(q, ref_dim), e.X, e.U);
          sum += g.weights[q] * emitted(B(q_.density(point.z, point.geometry, coefficients.at(g, b, q))));
        }
        total += sum_lanes(sum, g.owned[b]);
      }
  }
  return total;
}

template <class Q>
template <class B>
bool QForm<Q>::add_residual(const FormState& at, const FormTangent& direction, double* r) const {
  BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory_of(at, direction));
  Nodal<B> e;
  Pack worst(std::numeric_limits<double>::infinity());
  for (const BatchGroup& g : domain_.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      gather_coordinates(g, b, at, direction, e);
      gather_state(g, b, at, direction, e);
      B R[max_cell_nodes][nc];
      for (int a = 0; a < g.n_nodes; ++a)
        for (int c = 0; c < nc; ++c) R[a][c] = B(0.0);
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, ref_dim);
        const auto point = point_state<Q, B>(shape, e.X, e.U);
        if constexpr (HasAdmissibility<Q> && !carries_tangent<B>)
          worst = min(worst, q_.admissibility(point.z, point.geometry));
        auto f = point_flux<Q, B, B, B>(q_, point.z, point.geometry, coefficients.at(g, b, q));
        for (int s = 0; s < ns; ++s) f[s] = g.weights[q] * f[s];
        spread<Q>(g.test_at(q, ref_dim), pull_back<Q, B>(f, point.Ainv), R);
      }
      scatter_unknown(g, b, R, 0, r);
    }
  for (int l = 0; l < simd_width; ++l)
    if (!(worst[l] > 0)) return false;  // NaN is inadmissible too
  return true;
}

template <class Q>
template <class B>
void QForm<Q>::leave_behind(const FormState& at, const FormTangent& direction, double* next) const {
  if constexpr (HasMemory<Q>) {
    const PointMemory memory = memory_of(at, direction);
    BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory);
    Nodal<B> e;
    for (const BatchGroup& g : domain_.groups)
      for (int b = 0; b < g.n_batches; ++b) {
        gather_coordinates(g, b, at, direction, e);
        gather_state(g, b, at, direction, e);
        for (int q = 0; q < g.n_points(); ++q) {
          const auto point = point_state<Q, B>(g.at(q, ref_dim), e.X, e.U);
          B h[max_memory];
          q_.update_memory(point.z, point.geometry, coefficients.at(g, b, q), h);
          for (int k = 0; k < memory.per_point; ++k)
            emitted(h[k]).store(next + memory.place(g, b, q) + std::size_t(k) * simd_width);
        }
      }
  }
}

// One scalar at the point, differentiated with respect to the groups of inputs: the unknown, the geometry, the
// coefficients, the history variables. lambda: nodal values of the multiplier (work), or weights of what a step
// leaves behind (memory).
template <class Q>
template <class B, PointScalar S>
void QForm<Q>::differentiate(const FormState& at, const double* lambda, const FormTangent& direction,
                             double seed, FormCotangent& out) const {
  constexpr bool Work = S == PointScalar::work;
  const int np = static_cast<int>(coefficients_.size()), nm = memory_per_point(q_);
  const bool wants_unknown = out.wants_unknown();
  BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory_of(at, direction));
  std::vector<Dual<B, 1>> p1(np + (nm > 0 ? nm + 1 : 0));
  [[maybe_unused]] Pack m[HasMemory<Q> ? max_memory : 1];
  Nodal<B> e;
  for (const BatchGroup& g : domain_.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      if constexpr (Work) {  // linear in the multiplier, which is zero in most cells if it belongs to a force on a boundary
        gather_unknown(g, b, lambda, direction.multiplier, 0, e.L);
        bool zero = true;
        for (int c = 0; c < nc && zero; ++c) zero = vanish(&e.L[0][c], nc, g.basis[Q::basis[c]].n_nodes);
        if (zero) continue;
      }
      gather_coordinates(g, b, at, direction, e);
      gather_state(g, b, at, direction, e);
      B U_bar[max_cell_nodes][nt], X_bar[max_cell_nodes][dim];
      for (int a = 0; a < g.n_nodes; ++a) {
        for (int c = 0; c < nt; ++c) U_bar[a][c] = B(0.0);
        for (int i = 0; i < dim; ++i) X_bar[a][i] = B(0.0);
      }
      for (int q = 0; q < g.n_points(); ++q) {
        const double w = S == PointScalar::memory ? seed : seed * g.weights[q];
        const PointShape shape = g.at(q, ref_dim);
        const auto point = point_state<Q, B>(shape, e.X, e.U);
        ReferenceValues<Q, B, nc> l{};
        SlotArray<Q, B> y{};
        if constexpr (Work) {
          l = interpolate<Q>(g.test_at(q, ref_dim), e.L);
          y = slots_of<Q>(l, point.Ainv);
        }
        const B* values = coefficients.at(g, b, q);
        for (std::size_t k = 0; k < p1.size(); ++k) p1[k] = Dual<B, 1>(values[k]);
        const auto* p = [&] {
          if constexpr (is_one_for_all<Q, B>) return p1.data();
          else return values;
        }();
        const std::size_t place = PointMemory{.per_point = nm}.place(g, b, q);
        if constexpr (S == PointScalar::memory)
          for (int k = 0; k < nm; ++k) m[k] = Pack::load(lambda + place + std::size_t(k) * simd_width);

        if (wants_unknown) {
          SlotArray<Q, B> z_bar = slot_gradient<S, Q>(q_, point.z, y, point.geometry, p, m);
          for (int s = 0; s < ns; ++s) z_bar[s] = w * z_bar[s];
          spread<Q>(shape, pull_back<Q, B, nt>(z_bar, point.Ainv), U_bar);
        }
        if (out.coordinates) {
          auto g_bar = geometry_gradient<S, Q>(q_, point.u, l, point.geometry, p, m);
          for (int k = 0; k < dim * ref_dim; ++k) g_bar.A.entries[k] = w * g_bar.A.entries[k];
          for (int i = 0; i < dim; ++i) g_bar.x[i] = w * g_bar.x[i];
          spread_geometry<Q, B>(shape, g_bar, X_bar);
        }
        const int n_wanted = np + (out.memory ? nm : 0);
        for (int k = 0; k < n_wanted; ++k) {
          double* target = k >= np ? out.memory : k < int(out.coefficients.size()) ? out.coefficients[k] : nullptr;
          if (!target) continue;
          const Pack v = w * emitted(coefficient_gradient<S, Q, B>(q_, point.z, y, point.geometry, p1.data(), k, m));
          if (k < np) {
            add_to_coefficient(coefficients_[k], g, b, q, v, target);
          } else {
            target += place + std::size_t(k - np) * simd_width;
            (Pack::load(target) + v).store(target);
          }
        }
      }
      if (wants_unknown)
        for (Level level : all_levels)
          if (double* target = reads_level<Q>(level) ? out.unknown[level] : nullptr)
            scatter_unknown(g, b, U_bar, nc * level_position<Q>(level), target);
      if (out.coordinates) {
        const int* node = &g.node[std::size_t(b) * g.n_nodes * simd_width];
        for (int i = 0; i < dim; ++i) scatter_nodes(&X_bar[0][i], dim, node, g.n_nodes, dim, i, g.active[b], out.coordinates);
      }
    }
}

}  // namespace invar
