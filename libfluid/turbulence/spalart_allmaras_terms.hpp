#pragma once
#include <array>

#include "libadjoint/param_spec.hpp"
#include "libfem/form/q_function.hpp"

namespace invar {

/// The calibrated constants of the Spalart–Allmaras model, in the order in which forms take them as coefficients.
/// c_w1 = c_b1/κ² + (1 + c_b2)/σ follows from them.
struct SpalartAllmarasConstants {
  enum Index { cb1, cb2, sigma, kappa, cw2, cw3, cv1, ct3, ct4, count };
  static constexpr std::array<ParamSpec, count> parameters{
      ParamSpec{.key = "cb1", .unit = "1", .doc = "Spalart-Allmaras: c_b1, production", .default_value = 0.1355, .lower = 0},
      ParamSpec{.key = "cb2", .unit = "1", .doc = "Spalart-Allmaras: c_b2, non-conservative diffusion", .default_value = 0.622, .lower = 0},
      ParamSpec{.key = "sigma", .unit = "1", .doc = "Spalart-Allmaras: σ, turbulent Prandtl number", .default_value = 2.0 / 3.0, .lower = 0, .lower_open = true},
      ParamSpec{.key = "kappa", .unit = "1", .doc = "Spalart-Allmaras: κ, von Kármán constant", .default_value = 0.41, .lower = 0, .lower_open = true},
      ParamSpec{.key = "cw2", .unit = "1", .doc = "Spalart-Allmaras: c_w2, shape of the destruction", .default_value = 0.3, .lower = 0},
      ParamSpec{.key = "cw3", .unit = "1", .doc = "Spalart-Allmaras: c_w3, limit of the destruction", .default_value = 2, .lower = 0, .lower_open = true},
      ParamSpec{.key = "cv1", .unit = "1", .doc = "Spalart-Allmaras: c_v1, damping of the eddy viscosity at walls", .default_value = 7.1, .lower = 0, .lower_open = true},
      ParamSpec{.key = "ct3", .unit = "1", .doc = "Spalart-Allmaras: c_t3, suppression of production in laminar flow", .default_value = 1.2, .lower = 0},
      ParamSpec{.key = "ct4", .unit = "1", .doc = "Spalart-Allmaras: c_t4, range of that suppression", .default_value = 0.5, .lower = 0}};
};

/// β of SpalartAllmarasTerms.
inline constexpr ParamSpec production_multiplier_parameter{
    .key = "production_multiplier", .unit = "1", .doc = "turbulence: factor of the production, for field inversion", .default_value = 1.0};

/// Source terms and diffusivity at a point for χ = ν̃/ν in the negative Spalart–Allmaras model (Allmaras, Johnson, Spalart,
/// ICCFD7-1902, 2012) without trip terms,
///   u·∇χ − ν/σ [∇·((1 + f χ) ∇χ) + c_b2 |∇χ|²] = P − D
/// χ ≥ 0:  P = β c_b1 (1 − f_t2) Ŝ χ,   D = (c_w1 f_w − f_t2 c_b1/κ²) ν χ²/d²,   f = 1
/// χ < 0:  P = β c_b1 (1 − c_t3) Ω χ,   D = −c_w1 ν χ²/d²,   f = f_n
/// d [m] is the distance to the nearest wall, Ω [1/s] the magnitude of the vorticity, β a factor of the production (1: the model;
/// field inversion: Duraisamy, Iaccarino, Xiao, Annu. Rev. Fluid Mech. 51, 2019). Ŝ is limited as in the paper and continuously
/// differentiable. P and D are continuously differentiable at χ = 0. The limit of r at 10 is a kink, but f_w is nearly constant
/// there. Ω = √(ω² + ε²) with ε = 1e-8 ν/d² is differentiable for fluid at rest.
template <class R>
struct SpalartAllmarasTerms {
  R production, destruction;  // P, D: 1/s
  R diffusivity;              // ν/σ (1 + f χ): m²/s
  R diffusivity_slope;        // its derivative with respect to χ: m²/s
  R rate_squared;             // (P/χ)² + (D/χ)²: squared rate of change of χ by sources, 1/s²
  // Active branches: χ < 0; Ŝ limited; r below its limit.
  decltype(R() < R()) negative, strain_limited, ratio_free;

  /// vorticity_squared: ω² [1/s²]; by_area: ν/d² [1/s]; mean_by_area: its value for Ŝ and r, computed with a cell mean as the
  /// vorticity is one; viscosity: ν [m²/s]; c: SpalartAllmarasConstants
  template <class T, class S, class A, class P>
  INVAR_HD SpalartAllmarasTerms(const T& chi, const S& vorticity_squared, const A& by_area, const A& mean_by_area, const P& viscosity, const P& multiplier, const P* c) {
    using C = SpalartAllmarasConstants;
    constexpr double c2 = 0.7, c3 = 0.9, cn1 = 16, largest = 10, rest = 1e-8;
    const P kappa_squared = c[C::kappa] * c[C::kappa];
    const P cw1 = c[C::cb1] / kappa_squared + (1.0 + c[C::cb2]) / c[C::sigma];
    negative = chi < T(0.0);
    const T x = select(negative, T(0.0), chi), x_cubed = x * x * x;

    const R omega = sqrt(R(vorticity_squared + (rest * rest) * (by_area * by_area)));
    const auto fv1 = x_cubed / (x_cubed + c[C::cv1] * c[C::cv1] * c[C::cv1]);
    const auto fv2 = 1.0 - x / (1.0 + x * fv1);
    const auto ft2 = c[C::ct3] * exp(PromotedOf<T, P>(-(c[C::ct4] * (x * x))));
    const R more = R(fv2 * x * (mean_by_area / kappa_squared));
    strain_limited = more < R(-c2 * omega);
    const R limited = omega + omega * (c2 * c2 * omega + c3 * more) / ((c3 - 2 * c2) * omega - more);
    const R strain = select(strain_limited, limited, R(omega + more));

    const R ratio = R(x * (mean_by_area / kappa_squared)) / strain;
    ratio_free = ratio < R(largest);
    const R r = select(ratio_free, ratio, R(largest));
    const R r_sixth = (r * r * r) * (r * r * r), g = r + c[C::cw2] * (r_sixth - r);
    const P cw3_cubed = c[C::cw3] * c[C::cw3] * c[C::cw3];
    const R g_cubed = g * g * g, share = (1.0 + cw3_cubed * cw3_cubed) / (g_cubed * g_cubed + cw3_cubed * cw3_cubed);
    const R fw = g * cbrt(R(sqrt(share)));

    const R growth = select(negative, R(multiplier * (c[C::cb1] * (1.0 - c[C::ct3])) * omega), R(multiplier * c[C::cb1] * (1.0 - ft2) * strain));
    const R decay = select(negative, R(-(cw1 * by_area) * chi), R((cw1 * fw - ft2 * (c[C::cb1] / kappa_squared)) * (by_area * x)));
    production = growth * chi;
    destruction = decay * chi;
    rate_squared = growth * growth + decay * decay;

    using Slope = Dual<T, 1>;
    const Slope y = Slope::variable(select(negative, chi, T(0.0)), 0), y_cubed = y * y * y;
    const Slope below = y * ((cn1 + y_cubed) / (cn1 - y_cubed));  // χ f_n; its slope at 0 is that of χ ≥ 0
    const P molecular = viscosity / c[C::sigma];
    diffusivity = R((1.0 + x + below.value) * molecular);
    diffusivity_slope = R(below.grad[0] * molecular);
  }
};

}  // namespace invar
