#pragma once
#include <string_view>

#include "libadjoint/param_spec.hpp"
#include "libfem/math/host_device.hpp"

namespace invar {

/// Constants that several laws share, and their ranges.
namespace elastic_constants {

/// A stiffness: positive, Pa.
constexpr ParamSpec modulus(std::string_view key, std::string_view doc) {
  return {.key = key, .unit = "Pa", .doc = doc, .lower = 0, .lower_open = true};
}
/// A number without unit or range.
constexpr ParamSpec ratio(std::string_view key, std::string_view doc) {
  return {.key = key, .unit = "1", .doc = doc};
}

inline constexpr ParamSpec young = modulus("young", "Young's modulus E");
inline constexpr ParamSpec poisson{.key = "poisson",
                                   .unit = "1",
                                   .doc = "Poisson's ratio ν",
                                   .lower = -1,
                                   .upper = 0.5,
                                   .lower_open = true,
                                   .upper_open = true};
inline constexpr ParamSpec bulk = modulus("bulk", "bulk modulus κ of U(J) = κ/2 (J − 1)²");
inline constexpr ParamSpec bulk_of_volumetric_law = modulus("bulk", "bulk modulus κ of U(J)");
/// The only constant left of (E, ν) when the volume cannot change.
inline constexpr ParamSpec young_incompressible =
    modulus("young", "Young's modulus E; Poisson's ratio is 1/2, so that μ = E/3");

}  // namespace elastic_constants

/// μ = E / (2 (1 + ν)), Pa.
template <class S>
INVAR_HD S shear_modulus(const S& young, const S& poisson) {
  return young / (2.0 * (1.0 + poisson));
}

/// Lamé's first constant λ = E ν / ((1 + ν) (1 − 2 ν)), Pa.
template <class S>
INVAR_HD S first_lame(const S& young, const S& poisson) {
  return young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
}

}  // namespace invar
