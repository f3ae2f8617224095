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
    BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory_of(at, direction));
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

// One scalar at the point, differentiated with respect to the groups of inputs: the unknown, the geometry, the
// coefficients, what is remembered. lambda: nodal values of the multiplier (work), or weights of what a step
// leaves behind (memory).
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
          const PointShape shape = g.at(q, ref_dim);
          const auto geometry = geometry_of<Q, B>(shape, e.X);
          const auto z = slots_of<Q>(interpolate<Q>(shape, e.U), inverse_map(geometry.A));
          B h[max_memory];
          q_.remember(z, geometry, coefficients.at(g, b, q), h);
          for (int k = 0; k < memory.per_point; ++k)
            emitted(h[k]).store(next + memory.place(g, b, q) + std::size_t(k) * simd_width);
        }
      }
  }
}

template <class Q>
template <class B, PointScalar S>
void QForm<Q>::differentiate(const FormState& at, const double* lambda, const FormTangent& direction,
                             double seed, FormCotangent& out) const {
  BatchCoefficients<B> coefficients(coefficients_, direction.coefficients, memory_of(at, direction));
  constexpr bool Work = S == PointScalar::work;
  const int np = static_cast<int>(coefficients_.size()), nm = memory_per_point(q_);
  bool any_coefficient = out.memory && nm > 0;
  for (double* c : out.coefficients) any_coefficient |= c != nullptr;
  const bool wants_unknown = out.wants_unknown();
  Nodal<B> e;
  std::vector<Dual<B, 1>> p1(np + (nm > 0 ? nm + 1 : 0));
  [[maybe_unused]] Pack m[HasMemory<Q> ? max_memory : 1];
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
        const double w = S == PointScalar::memory ? seed : seed * g.weights[q];
        const PointShape shape = g.at(q, ref_dim);
        const auto geometry = geometry_of<Q, B>(shape, e.X);
        const auto Ainv = inverse_map(geometry.A);
        const auto ref_u = interpolate<Q>(shape, e.U);
        const auto ref_l = Work ? interpolate<Q>(shape, e.L) : ReferenceValues<Q, B, nc>{};
        const auto z = slots_of<Q>(ref_u, Ainv);
        SlotArray<Q, B> y{};
        if constexpr (Work) y = slots_of<Q>(ref_l, Ainv);
        const B* p = coefficients.at(g, b, q);
        const std::size_t place = PointMemory{.per_point = nm}.place(g, b, q);
        if constexpr (S == PointScalar::memory)
          for (int k = 0; k < nm; ++k) m[k] = Pack::load(lambda + place + std::size_t(k) * simd_width);

        if (wants_unknown) {
          SlotArray<Q, B> z_bar;
          if constexpr (S == PointScalar::density) {
            z_bar = point_flux<Q, B, B, B>(q_, z, geometry, p);
          } else {
            using D = Dual<B, ns>;
            SlotArray<Q, D> zd, yd;
            for (int s = 0; s < ns; ++s) {
              zd[s] = D::variable(z[s], s);
              yd[s] = D(y[s]);
            }
            const D scalar = point_scalar<S, Q, D, B, B>(q_, zd, yd, geometry, p, m);
            for (int s = 0; s < ns; ++s) z_bar[s] = scalar.grad[s];
          }
          for (int s = 0; s < ns; ++s) z_bar[s] = w * z_bar[s];
          spread<Q>(shape, pull_back<Q, B, nt>(z_bar, Ainv), U_bar);
        }
        if (out.coordinates) {
          const auto g_bar = geometry_gradient<S, Q, B>(q_, ref_u, ref_l, geometry, p, m);
          PointGeometry<Pack, dim, ref_dim> weighted;
          for (int k = 0; k < dim * ref_dim; ++k) weighted.A.entries[k] = w * emitted(g_bar.A.entries[k]);
          for (int i = 0; i < dim; ++i) weighted.x[i] = w * emitted(g_bar.x[i]);
          spread_geometry<Q, Pack>(shape, weighted, X_bar);
        }
        if (any_coefficient) {
          for (std::size_t k = 0; k < p1.size(); ++k) p1[k] = Dual<B, 1>(p[k]);
          const auto derivative = [&](int k) {
            p1[k].grad[0] = B(1.0);
            const Dual<B, 1> s(point_scalar<S, Q, B, B, Dual<B, 1>>(q_, z, y, geometry, p1.data(), m));
            p1[k].grad[0] = B(0.0);
            return Pack(w * emitted(s.grad[0]));
          };
          if (out.memory)
            for (int k = 0; k < nm; ++k) {
              double* target = out.memory + place + std::size_t(k) * simd_width;
              (Pack::load(target) + derivative(np + k)).store(target);
            }
          for (int k = 0; k < static_cast<int>(out.coefficients.size()); ++k) {
            double* target = out.coefficients[k];
            if (!target) continue;
            const Pack v = derivative(k);
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
