#pragma once
#include <array>

#include "libadjoint/param_spec.hpp"
#include "libfem/form/q_function.hpp"

namespace invar {

/// Dynamic viscosity μ [Pa s] of a generalised Newtonian fluid, τ = 2 μ(γ̇) ε with γ̇² = 2 ε:ε.
///   newtonian   μ = const
///   carreau     μ = μ_∞ + (μ_0 − μ_∞) (1 + (λ γ̇)²)^((n−1)/2)
///   power_law   μ = K (γ̇² + γ̇_0²)^((n−1)/2); γ̇_0 keeps μ finite, and smooth, where nothing is sheared
/// All are smooth in γ̇², also at rest. Bird, Armstrong, Hassager: Dynamics of Polymeric Liquids, vol. 1
/// (1987), section 4.1.
struct ViscosityLaw {
  enum class Kind { newtonian, carreau, power_law };
  Kind kind = Kind::newtonian;

  static constexpr std::array newtonian_parameters{
      ParamSpec{.key = "viscosity", .unit = "Pa s", .doc = "dynamic viscosity", .lower = 0, .lower_open = true}};
  static constexpr std::array carreau_parameters{
      ParamSpec{.key = "viscosity_zero", .unit = "Pa s", .doc = "dynamic viscosity at rest", .lower = 0,
                .lower_open = true},
      ParamSpec{.key = "viscosity_inf", .unit = "Pa s", .doc = "dynamic viscosity at infinite shear rate",
                .lower = 0},
      ParamSpec{.key = "relaxation_time", .unit = "s", .doc = "inverse of the shear rate at the onset of shear thinning",
                .lower = 0},
      ParamSpec{.key = "exponent", .unit = "1", .doc = "power-law exponent n; 1: Newtonian, below: shear-thinning",
                .lower = 0, .lower_open = true}};
  static constexpr std::array power_law_parameters{
      ParamSpec{.key = "consistency", .unit = "Pa s^n", .doc = "dynamic viscosity at a shear rate of 1/s",
                .lower = 0, .lower_open = true},
      ParamSpec{.key = "exponent", .unit = "1", .doc = "power-law exponent n; 1: Newtonian, below: shear-thinning",
                .lower = 0, .lower_open = true},
      ParamSpec{.key = "rate_floor", .unit = "1/s", .doc = "shear rate below which the viscosity is nearly constant",
                .lower = 0, .lower_open = true}};

  INVAR_HD constexpr int n_parameters() const {
    return static_cast<int>(kind == Kind::newtonian ? newtonian_parameters.size()
                            : kind == Kind::carreau ? carreau_parameters.size()
                                                    : power_law_parameters.size());
  }

  /// μ(γ̇²) [Pa s]; p: the law's parameters in the order of its table.
  template <class S, class P>
  INVAR_HD PromotedOf<S, P> viscosity(const S& rate_squared, const P* p) const {
    using R = PromotedOf<S, P>;
    switch (kind) {
      case Kind::carreau: {
        const R x = 1.0 + (p[2] * p[2]) * rate_squared;
        return R(p[1] + (p[0] - p[1]) * pow(x, P(0.5 * (p[3] - 1.0))));
      }
      case Kind::power_law: {
        const R x = rate_squared + p[2] * p[2];
        return R(p[0] * pow(x, P(0.5 * (p[1] - 1.0))));
      }
      default: return R(p[0]);
    }
  }
};

/// Parameter common to all flows.
inline constexpr ParamSpec density_parameter{
    .key = "density", .unit = "kg/m^3", .doc = "mass density", .lower = 0, .lower_open = true};

}  // namespace invar
