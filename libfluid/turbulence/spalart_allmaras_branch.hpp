#pragma once
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {

/// Number of the branch of SpalartAllmarasTerms at a point, see PointBranches: 1 if χ < 0; else 2 if Ŝ is limited, plus 4 if r is
/// at its limit. Coefficients: those of SpalartAllmaras.
template <class K>
struct SpalartAllmarasBranch {
  using Transport = SpalartAllmaras<K>;
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = Transport::n_components;
  static constexpr std::array<int, n_components> basis{};
  static constexpr auto slots = Transport::slots;
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, never_differentiated = true;
  static constexpr std::size_t ns = slots.size();

  ReferenceMetric metric = {};
  int n_coefficients() const { return Transport{}.n_coefficients(); }
  int n_memory() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>&, const PointGeometry<Tg, dim, dim>&, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    std::array<R, ns> nothing;
    for (R& entry : nothing) entry = R(0.0);
    return nothing;
  }

  template <class Tz, class Tg, class Tp, class R>
  INVAR_HD void update_memory(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, R* h) const {
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(z, g);
    const auto by_area = Transport::inverse_area(p, element_metric(g.A, metric));
    const SpalartAllmarasTerms<R> terms(R(z[Transport::value]), at.vorticity_squared(), by_area, Transport::mean_inverse_area(p, by_area), Tp(p[Transport::viscosity] / p[Transport::density]),
                                        p[Transport::multiplier], p + Transport::constants);
    const R of_positive = select(terms.strain_limited, R(2.0), R(0.0)) + select(terms.ratio_free, R(0.0), R(4.0));
    h[0] = select(terms.negative, R(1.0), of_positive);
  }
};

}  // namespace invar
