// Value, residual, their derivatives and the matrix of PairForm: forward and reverse, one under the other.
#pragma once
#include <algorithm>

namespace invar {

template <class Law, int Dim>
SurfaceFields PairForm<Law, Dim>::fields(const FormState& at) const {
  SurfaceFields f;
  f.at.dim = Dim;
  f.at.X = transfer_.of_coordinates(at.coordinates);
  f.at.u = transfer_.of_unknown(at.unknown[Level::value]);
  if (f.at.u.empty()) f.at.u.assign(f.at.X.size(), 0.0);
  if constexpr (Law::reads_rate) f.rate = transfer_.of_unknown(at.unknown[Level::rate]);
  f.weight.resize(finder_->measure().size());
  finder_->measure().values(at.coordinates, f.weight.data());
  if (motion_) f.multiplier = side_multiplier(f.at, 1);
  return f;
}

template <class Law, int Dim>
SurfaceFields PairForm<Law, Dim>::fields(const FormState& at, const FormTangent& d) const {
  SurfaceFields f;
  f.at.dim = Dim;
  f.at.X = transfer_.of_coordinates(d.coordinates);
  f.at.u = transfer_.of_unknown(d.unknown[Level::value]);
  if constexpr (Law::reads_rate) f.rate = transfer_.of_unknown(d.unknown[Level::rate]);
  if (d.coordinates) {
    f.weight.resize(finder_->measure().size());
    finder_->measure().jvp(at.coordinates, d.coordinates, f.weight.data());
  }
  if (motion_) f.multiplier = side_multiplier(f.at, 0);
  return f;
}

template <class Law, int Dim>
std::vector<double> PairForm<Law, Dim>::side_multiplier(const SurfacePosition& at, double constant) const {
  const ContactSurface& s = finder_->surface();
  std::vector<double> multiplier(std::size_t(s.n_samples) * Dim, 0.0);
  for (int sample = 0; sample < s.n_samples; ++sample) {
    if (s.sample_side[sample] != 0) continue;
    for (int i = 0; i < Dim; ++i) {
      double velocity = constant * motion_->constant[i];
      for (int j = 0; j < Dim; ++j) {
        const std::size_t place = std::size_t(sample) * Dim + j;
        velocity += motion_->slope[i][j] * ((at.X.empty() ? 0.0 : at.X[place]) + (at.u.empty() ? 0.0 : at.u[place]));
      }
      multiplier[std::size_t(sample) * Dim + i] = -velocity;  // forces are the negative residual
    }
  }
  return multiplier;
}

template <class Law, int Dim>
void PairForm<Law, Dim>::add_motion_gradient(const std::vector<double>& residual, std::vector<double>& position_bar) const {
  const ContactSurface& s = finder_->surface();
  for (int sample = 0; sample < s.n_samples; ++sample) {
    if (s.sample_side[sample] != 0) continue;
    const std::size_t first = std::size_t(sample) * Dim;
    for (int i = 0; i < Dim; ++i)
      for (int j = 0; j < Dim; ++j) position_bar[first + j] -= motion_->slope[i][j] * residual[first + i];
  }
}

template <class Law, int Dim>
template <class Visit>
void PairForm<Law, Dim>::visit_pairs(const SurfacePosition& at, Visit&& visit) const {
  const ActivePairs& active = finder_->active(at, coefficients_[1].values[0]);
  static_for<n_kinds>([&](auto k) {
    constexpr PairKind kind = kinds[k];
    const std::vector<ActivePair>& pairs = active[kind];
    for (std::size_t first = 0; first < pairs.size(); first += simd_width) {
      const auto lanes = Lanes<kind>::of(finder_->surface(), dofs_->mesh().n_owned_nodes, pairs, first);
      visit(PairPoint<Law, Dim, kind>{law_, lanes.reach}, lanes);
    }
  });
}

namespace detail {

/// Component i of a field at vertex k relative to the base, lane by lane.
template <class L>
Pack relative(const L& l, int k, int i, int dim, const std::vector<double>& field) {
  Pack p(0.0);
  if (!field.empty())
    for (int lane = 0; lane < simd_width; ++lane)
      p.set(lane, field[std::size_t(l.vertex[k][lane]) * dim + i] - field[std::size_t(l.vertex[0][lane]) * dim + i]);
  return p;
}

template <class B>
B with_direction(const Pack& value, const Pack& direction) {
  if constexpr (carries_tangent<B>) {
    B b(value);
    b.grad[0] = direction;
    return b;
  } else {
    return value;
  }
}

}  // namespace detail

template <class Law, int Dim>
template <class B, class Q, PairKind Kind>
SlotArray<Q, B> PairForm<Law, Dim>::gather(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d) {
  SlotArray<Q, B> z;
  for (int k = 1; k < l.n; ++k)
    for (int i = 0; i < Dim; ++i) {
      const int slot = (k - 1) * Dim + i;
      const auto of = [&](const std::vector<double>& field) { return detail::relative(l, k, i, Dim, field); };
      z[slot] = detail::with_direction<B>(of(f.at.X) + of(f.at.u), of(d.at.X) + of(d.at.u));
      if constexpr (Law::reads_rate) z[Q::n + slot] = detail::with_direction<B>(of(f.rate), of(d.rate));
    }
  if constexpr (Q::edges)
    for (int i = 0; i < Dim; ++i) {
      const auto of = [&](int k, const std::vector<double>& field) { return detail::relative(l, k, i, Dim, field); };
      z[Q::first_rest + i] = detail::with_direction<B>(of(3, f.at.X) - of(1, f.at.X), of(3, d.at.X) - of(1, d.at.X));
      z[Q::first_rest + Dim + i] = detail::with_direction<B>(of(2, f.at.X), of(2, d.at.X));
    }
  return z;
}

template <class Law, int Dim>
template <class B, class Q, PairKind Kind>
SlotArray<Q, B> PairForm<Law, Dim>::gather_multiplier(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d) {
  SlotArray<Q, B> y;
  for (auto& v : y) v = B(0.0);
  for (int k = 1; k < l.n; ++k)
    for (int i = 0; i < Dim; ++i)
      y[(k - 1) * Dim + i] = detail::with_direction<B>(detail::relative(l, k, i, Dim, f.multiplier), detail::relative(l, k, i, Dim, d.multiplier));
  return y;
}

template <class Law, int Dim>
template <class B, PairKind Kind>
B PairForm<Law, Dim>::weight_of(const Lanes<Kind>& l, const SurfaceFields& f, const SurfaceFields& d) {
  Pack w(0.0), w_dot(0.0);
  for (const auto& weight : l.weight)
    for (int lane = 0; lane < simd_width; ++lane) {
      w.set(lane, w[lane] + f.weight[weight[lane]]);
      if (!d.weight.empty()) w_dot.set(lane, w_dot[lane] + d.weight[weight[lane]]);
    }
  return detail::with_direction<B>(w, w_dot);
}

template <class Law, int Dim>
template <class B, std::size_t N, PairKind Kind>
void PairForm<Law, Dim>::scatter(const Lanes<Kind>& l, const std::array<B, N>& slots, int first, std::vector<double>& target) {
  for (int k = 1; k < l.n; ++k)
    for (int i = 0; i < Dim; ++i) {
      const Pack& v = emitted(slots[first + (k - 1) * Dim + i]);
      for (int lane = 0; lane < l.lanes; ++lane) {
        target[std::size_t(l.vertex[k][lane]) * Dim + i] += v[lane];
        target[std::size_t(l.vertex[0][lane]) * Dim + i] -= v[lane];
      }
    }
}

template <class Law, int Dim>
template <class B>
std::vector<B> PairForm<Law, Dim>::coefficient_values(const FormTangent& d) const {
  std::vector<B> p;
  for (std::size_t k = 0; k < coefficients_.size(); ++k) {
    if (coefficients_[k].layout != Coefficient::Layout::constant) throw std::logic_error("a number of contact that varies in space");
    const double* dot = k < d.coefficients.size() ? d.coefficients[k] : nullptr;
    p.push_back(detail::with_direction<B>(Pack(coefficients_[k].values[0]), Pack(dot ? *dot : 0.0)));
  }
  return p;
}

namespace detail {

/// Completes the gradient of a density by that in the directions at rest, which its flux does not have.
template <class Q>
SlotArray<Q, Pack> rest_gradient(const Q& q, const SlotArray<Q, Pack>& z, const PointGeometry<Pack, Q::dim, Q::ref_dim>& g, const Pack* p,
                                 SlotArray<Q, Pack> z_bar) {
  using D = Dual<Pack, 1>;
  SlotArray<Q, D> zd;
  for (std::size_t s = 0; s < z.size(); ++s) zd[s] = D(z[s]);
  for (std::size_t s = Q::first_rest; s < z.size(); ++s) {
    zd[s].grad[0] = Pack(1.0);
    z_bar[s] = D(q.density(zd, g, p)).grad[0];
    zd[s].grad[0] = Pack(0.0);
  }
  return z_bar;
}

}  // namespace detail

template <class Law, int Dim>
template <class B, PointScalar S>
double PairForm<Law, Dim>::sum_scalar(const FormState& at, const FormTangent& d) const {
  const SurfaceFields f = fields(at), f_dot = fields(at, d);
  const std::vector<B> p = coefficient_values<B>(d);
  double total = 0;
  visit_pairs(f.at, [&]<class Q, PairKind Kind>(const Q& q, const Lanes<Kind>& l) {
    PointGeometry<B, Dim, Dim - 1> g{};
    g.measure = l.own_factor * weight_of<B>(l, f, f_dot);
    const auto z = gather<B, Q>(l, f, f_dot);
    SlotArray<Q, B> y{};
    if constexpr (S == PointScalar::work) y = gather_multiplier<B, Q>(l, f, f_dot);
    total += sum_lanes(emitted(B(point_scalar<S, Q, B, B, B, B>(q, z, y, g, p.data()))), l.lanes);
  });
  return total;
}

template <class Law, int Dim>
template <class B>
void PairForm<Law, Dim>::add_residual(const FormState& at, const FormTangent& d, double* r) const {
  refuse_functional();
  if constexpr (!Law::functional) {
    const SurfaceFields f = fields(at), f_dot = fields(at, d);
    const std::vector<B> p = coefficient_values<B>(d);
    std::vector<double> force(f.at.X.size(), 0.0);
    visit_pairs(f.at, [&]<class Q, PairKind Kind>(const Q& q, const Lanes<Kind>& l) {
      PointGeometry<B, Dim, Dim - 1> g{};
      g.measure = l.factor * weight_of<B>(l, f, f_dot);
      scatter(l, point_flux<Q, B, B, B>(q, gather<B, Q>(l, f, f_dot), g, p.data()), 0, force);
    });
    transfer_.to_unknown(force, r);
  }
}

template <class Law, int Dim>
template <class B, PointScalar S>
void PairForm<Law, Dim>::differentiate(const FormState& at, const double* lambda, const FormTangent& d, double seed,
                                       FormCotangent& out) const {
  SurfaceFields f = fields(at), f_dot = fields(at, d);
  const bool moves = S == PointScalar::work && motion_;
  if (S == PointScalar::work && !moves) {
    f.multiplier = transfer_.of_unknown(lambda);
    f_dot.multiplier = transfer_.of_unknown(d.multiplier);
  }
  const bool of_positions = out.coordinates || out.unknown[Level::value], of_rates = Law::reads_rate && out.unknown[Level::rate];
  std::vector<double> position_bar(f.at.X.size(), 0.0), rest_bar = position_bar, rate_bar = position_bar, weight_bar(f.weight.size(), 0.0);
  std::vector<double> residual(moves ? f.at.X.size() : 0, 0.0);
  std::vector<double> weight_bar_dot(f.weight.size(), 0.0);
  const std::vector<B> values = coefficient_values<B>(d);
  std::vector<Dual<B, 1>> p1;
  for (const B& v : values) p1.emplace_back(v);
  visit_pairs(f.at, [&]<class Q, PairKind Kind>(const Q& q, const Lanes<Kind>& l) {
    const auto z = gather<B, Q>(l, f, f_dot);
    SlotArray<Q, B> y{};
    if constexpr (S == PointScalar::work) y = gather_multiplier<B, Q>(l, f, f_dot);
    PointGeometry<B, Dim, Dim - 1> g{};
    const B weight = weight_of<B>(l, f, f_dot);
    g.measure = seed * (l.factor * weight);
    const auto* p = [&] {
      if constexpr (is_one_for_all<Q, B>) return p1.data();
      else return values.data();
    }();
    if (of_positions || of_rates) {
      SlotArray<Q, B> z_bar = slot_gradient<S, Q>(q, z, y, g, p);
      if constexpr (Q::edges && S == PointScalar::density && !carries_tangent<B>) z_bar = detail::rest_gradient(q, z, g, p, z_bar);
      scatter(l, z_bar, 0, position_bar);
      if constexpr (S == PointScalar::work)
        if (moves) scatter(l, point_flux<Q, B, B, B>(q, z, g, values.data()), 0, residual);
      if constexpr (Law::reads_rate) scatter(l, z_bar, Q::n, rate_bar);
      if constexpr (Q::edges) {
        for (int i = 0; i < Dim; ++i) {
          const Pack &a = emitted(z_bar[Q::first_rest + i]), &b = emitted(z_bar[Q::first_rest + Dim + i]);
          for (int lane = 0; lane < l.lanes; ++lane) {
            const auto at_rest = [&](int k) -> double& { return rest_bar[std::size_t(l.vertex[k][lane]) * Dim + i]; };
            at_rest(3) += a[lane], at_rest(1) -= a[lane];
            at_rest(2) += b[lane], at_rest(0) -= b[lane];
          }
        }
      }
    }
    if (out.coordinates) {
      PointGeometry<B, Dim, Dim - 1> unit{};
      unit.measure = B(seed * l.factor);
      const B w_bar(point_scalar<S, Q, B, B, B, B>(q, z, y, unit, values.data()));
      for (const auto& place : l.weight)
        for (int lane = 0; lane < l.lanes; ++lane) {
          if constexpr (carries_tangent<B>) {
            weight_bar[place[lane]] += w_bar.value[lane];
            weight_bar_dot[place[lane]] += w_bar.grad[0][lane];
          } else {
            weight_bar[place[lane]] += w_bar[lane];
          }
        }
    }
    g.measure = seed * (l.own_factor * weight);
    for (std::size_t k = 0; k < out.coefficients.size(); ++k)
      if (out.coefficients[k])
        *out.coefficients[k] += sum_lanes(emitted(coefficient_gradient<S, Q, B>(q, z, y, g, p1.data(), static_cast<int>(k))), l.lanes);
  });
  if (moves) add_motion_gradient(residual, position_bar);
  if (double* u_bar = out.unknown[Level::value]) transfer_.to_unknown(position_bar, u_bar);
  if (of_rates) transfer_.to_unknown(rate_bar, out.unknown[Level::rate]);
  if (!out.coordinates) return;
  transfer_.to_coordinates(position_bar, out.coordinates);
  transfer_.to_coordinates(rest_bar, out.coordinates);
  if constexpr (carries_tangent<B>) {
    const std::vector<double> still(d.coordinates ? 0 : std::size_t(dofs_->mesh().node_total()) * Dim, 0.0);
    finder_->measure().vjp_tangent(at.coordinates, d.coordinates ? d.coordinates : still.data(), weight_bar.data(), weight_bar_dot.data(),
                                   out.coordinates);
  } else {
    finder_->measure().vjp(at.coordinates, weight_bar.data(), out.coordinates);
  }
}

// ---- matrix -------------------------------------------------------------------------------------

template <class Law, int Dim>
void PairForm<Law, Dim>::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  refuse_functional();
  if constexpr (!Law::functional) {
    if (weights[Level::value] == 0 && (!Law::reads_rate || weights[Level::rate] == 0)) return;
    const SurfaceFields f = fields(at), none;
    const std::vector<Pack> p = coefficient_values<Pack>({});
    PairMatrix sum(finder_->surface(), K);
    visit_pairs(f.at, [&]<class Q, PairKind Kind>(const Q& q, const Lanes<Kind>& l) {
      PointGeometry<Pack, Dim, Dim - 1> g{};
      g.measure = l.factor * weight_of<Pack>(l, f, none);
      SlotMatrix<Q> D;
      first_point_tangent<Q::first_rest>(q, gather<Pack, Q>(l, f, none), g, p.data(), D);  // directions at rest do not move with u
      double entries[Q::n * Q::n][simd_width], block[Q::n * Q::n];
      for (int s = 0; s < Q::n; ++s)
        for (int t = 0; t < Q::n; ++t) {
          Pack sum_of_levels = weights[Level::value] * D[s][t];
          if constexpr (Law::reads_rate) sum_of_levels += weights[Level::rate] * D[s][Q::n + t];
          sum_of_levels.store(entries[s * Q::n + t]);
        }
      int vertices[Lanes<Kind>::n];
      for (int lane = 0; lane < l.lanes; ++lane) {
        for (int k = 0; k < Q::n * Q::n; ++k) block[k] = entries[k][lane];
        for (int k = 0; k < l.n; ++k) vertices[k] = l.vertex[k][lane];
        sum.template add<Q::n_relative, Dim>(vertices, block);
      }
    });
  }
}

}  // namespace invar
