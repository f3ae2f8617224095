// Value, residual and their derivatives of QForm: forward and reverse, one under the other.
#pragma once

namespace invar {

template <class Q>
template <class B>
void QForm<Q>::gather_coordinates(const BatchGroup& g, int b, const FormState& at, const FormTangent& d,
                                  Nodal<B>& e) const {
  for (int a = 0; a < g.n_nodes; ++a)
    for (int i = 0; i < dim; ++i)
      e.X[a][i] = gather<B>(at.coordinates, d.coordinates,
                            &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], dim, i);
}

template <class Q>
template <int First, class B, int N>
void QForm<Q>::gather_unknown(const BatchGroup& g, int b, const double* v, const double* direction,
                              B (*out)[N]) const {
  static_for<nc>([&](auto c) {
    const int n = g.basis[Q::basis[c]].n_nodes;
    for (int a = 0; a < n; ++a)
      out[a][First + c] = gather<B>(v, direction, &g.dof[(std::size_t(b) * g.n_nodes + a) * simd_width], 1, c);
  });
}

template <class Q>
template <class B>
void QForm<Q>::gather_state(const BatchGroup& g, int b, const FormState& at, const FormTangent& d,
                            Nodal<B>& e) const {
  static_for<level_count>([&](auto k) {
    constexpr Level level = all_levels[k];
    if constexpr (reads_level<Q>(level))
      gather_unknown<nc * level_position<Q>(level)>(g, b, at.unknown[level], d.unknown[level], e.U);
  });
}

template <class Q>
template <int First, int N>
void QForm<Q>::scatter_unknown(const BatchGroup& g, int b, const Pack (*v)[N], double* target) const {
  static_for<nc>([&](auto c) {
    const int n = g.basis[Q::basis[c]].n_nodes;
    for (int a = 0; a < n; ++a)
      scatter_add(target, &g.dof[(std::size_t(b) * g.n_nodes + a) * simd_width], 1, c, v[a][First + c], g.active[b]);
  });
}

template <class Q>
template <class B>
double QForm<Q>::sum_density(const FormState& at, const FormTangent& direction) const {
  double total = 0;
  if constexpr (HasDensity<Q>) {
    BatchCoefficients<B> coefficients(coefficients_, direction.coefficients);
    Nodal<B> e;
    for (const BatchGroup& g : domain_.groups)
      for (int b = 0; b < g.n_batches; ++b) {
        if (g.owned[b] == 0) continue;
        gather_coordinates(g, b, at, direction, e);
        gather_state(g, b, at, direction, e);
        Pack sum(0.0);
        for (int q = 0; q < g.n_points(); ++q) {
          const PointShape shape = g.at(q, ref_dim);
          const auto geometry = geometry_of<Q, B>(shape, e.X);
          const auto z = slots_of<Q>(interpolate<Q>(shape, e.U), inverse_map(geometry.A));
          sum += g.weights[q] * emitted(B(q_.density(z, geometry, coefficients.at(g, b, q))));
        }
        total += sum_lanes(sum, g.owned[b]);
      }
  }
  return total;
}

template <class Q>
template <class B>
bool QForm<Q>::add_residual(const FormState& at, const FormTangent& direction, double* r) const {
  BatchCoefficients<B> coefficients(coefficients_, direction.coefficients);
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
        const auto geometry = geometry_of<Q, B>(shape, e.X);
        const auto Ainv = inverse_map(geometry.A);
        const auto z = slots_of<Q>(interpolate<Q>(shape, e.U), Ainv);
        if constexpr (HasAdmissibility<Q> && !carries_tangent<B>)
          worst = min(worst, q_.admissibility(z, geometry));
        auto f = point_flux<Q, B, B, B>(q_, z, geometry, coefficients.at(g, b, q));
        for (int s = 0; s < ns; ++s) f[s] = g.weights[q] * f[s];
        spread<Q>(shape, pull_back<Q, B>(f, Ainv), R);
      }
      Pack out[max_cell_nodes][nc];
      for (int a = 0; a < g.n_nodes; ++a)
        for (int c = 0; c < nc; ++c) out[a][c] = emitted(R[a][c]);
      scatter_unknown<0>(g, b, out, r);
    }
  for (int l = 0; l < simd_width; ++l)
    if (!(worst[l] > 0)) return false;  // NaN is inadmissible too
  return true;
}

// One scalar at the point, the virtual work or the density, differentiated with respect to the three
// groups of inputs: the unknown, the geometry, the coefficients.
template <class Q>
template <class B, bool Work>
void QForm<Q>::differentiate(const FormState& at, const double* lambda, const FormTangent& direction,
                             double seed, FormCotangent& out) const {
  BatchCoefficients<B> coefficients(coefficients_, direction.coefficients);
  const int np = static_cast<int>(coefficients_.size());
  bool any_coefficient = false;
  for (double* c : out.coefficients) any_coefficient |= c != nullptr;
  const bool wants_unknown = out.wants_unknown();
  Nodal<B> e;
  std::vector<Dual<B, 1>> p1(np);
  for (const BatchGroup& g : domain_.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      gather_coordinates(g, b, at, direction, e);
      gather_state(g, b, at, direction, e);
      if constexpr (Work) gather_unknown<0>(g, b, lambda, direction.multiplier, e.L);
      B U_bar[max_cell_nodes][nt];
      Pack X_bar[max_cell_nodes][dim];
      for (int a = 0; a < g.n_nodes; ++a) {
        for (int c = 0; c < nt; ++c) U_bar[a][c] = B(0.0);
        for (int i = 0; i < dim; ++i) X_bar[a][i] = Pack(0.0);
      }
      for (int q = 0; q < g.n_points(); ++q) {
        const double w = seed * g.weights[q];
        const PointShape shape = g.at(q, ref_dim);
        const auto geometry = geometry_of<Q, B>(shape, e.X);
        const auto Ainv = inverse_map(geometry.A);
        const auto ref_u = interpolate<Q>(shape, e.U);
        const auto ref_l = Work ? interpolate<Q>(shape, e.L) : ReferenceValues<Q, B, nc>{};
        const auto z = slots_of<Q>(ref_u, Ainv);
        SlotArray<Q, B> y{};
        if constexpr (Work) y = slots_of<Q>(ref_l, Ainv);
        const B* p = coefficients.at(g, b, q);

        if (wants_unknown) {
          SlotArray<Q, B> z_bar;
          if constexpr (!Work) {
            z_bar = point_flux<Q, B, B, B>(q_, z, geometry, p);
          } else {
            using D = Dual<B, ns>;
            SlotArray<Q, D> zd, yd;
            for (int s = 0; s < ns; ++s) {
              zd[s] = D::variable(z[s], s);
              yd[s] = D(y[s]);
            }
            const D work = point_scalar<Work, Q, D, B, B>(q_, zd, yd, geometry, p);
            for (int s = 0; s < ns; ++s) z_bar[s] = work.grad[s];
          }
          for (int s = 0; s < ns; ++s) z_bar[s] = w * z_bar[s];
          spread<Q>(shape, pull_back<Q, B, nt>(z_bar, Ainv), U_bar);
        }
        if (out.coordinates) {
          const auto g_bar = geometry_gradient<Work, Q, B>(q_, ref_u, ref_l, geometry, p);
          PointGeometry<Pack, dim, ref_dim> weighted;
          for (int k = 0; k < dim * ref_dim; ++k) weighted.A.entries[k] = w * emitted(g_bar.A.entries[k]);
          for (int i = 0; i < dim; ++i) weighted.x[i] = w * emitted(g_bar.x[i]);
          spread_geometry<Q, Pack>(shape, weighted, X_bar);
        }
        if (any_coefficient) {
          for (int k = 0; k < np; ++k) p1[k] = Dual<B, 1>(p[k]);
          for (int k = 0; k < np; ++k) {
            double* target = out.coefficients[k];
            if (!target) continue;
            p1[k].grad[0] = B(1.0);
            const Dual<B, 1> s(point_scalar<Work, Q, B, B, Dual<B, 1>>(q_, z, y, geometry, p1.data()));
            p1[k].grad[0] = B(0.0);
            const Pack v = w * emitted(s.grad[0]);
            switch (coefficients_[k].layout) {
              case Coefficient::Layout::constant: target[0] += sum_lanes(v, g.owned[b]); break;
              case Coefficient::Layout::per_cell:
                scatter_add(target, &g.cell[b * simd_width], 1, 0, v, g.owned[b]);
                break;
              case Coefficient::Layout::per_node:
                for (int a = 0; a < g.n_nodes; ++a)
                  scatter_add(target, &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], 1, 0,
                              g.geometry.N[q * g.n_nodes + a] * v, g.active[b]);
            }
          }
        }
      }
      if (wants_unknown) {
        Pack u[max_cell_nodes][nt];
        for (int a = 0; a < g.n_nodes; ++a)
          for (int c = 0; c < nt; ++c) u[a][c] = emitted(U_bar[a][c]);
        static_for<level_count>([&](auto k) {
          constexpr Level level = all_levels[k];
          if constexpr (reads_level<Q>(level))
            if (double* target = out.unknown[level])
              scatter_unknown<nc * level_position<Q>(level)>(g, b, u, target);
        });
      }
      if (out.coordinates)
        for (int a = 0; a < g.n_nodes; ++a)
          for (int i = 0; i < dim; ++i)
            scatter_add(out.coordinates, &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], dim, i,
                        X_bar[a][i], g.active[b]);
    }
}

}  // namespace invar
