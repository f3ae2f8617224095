#pragma once
#include <span>
#include <string_view>

#include "apps/invar/spec/value.hpp"
#include "libadjoint/param_spec.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar {

/// The law of a body that an entry of `materials` names, with its number of terms and, in the compressible form, its volumetric
/// law. Swelling and plane stress must be added by the caller.
MaterialChoice law_of(const spec::Value& material, Formulation formulation = Formulation::compressible);

/// Parameters of every solid in processes in time: density, and damping for any law.
inline constexpr ParamSpec dynamic_parameters[] = {
    {.key = "density", .unit = "kg/m^3", .doc = "mass per undeformed volume", .lower = 0, .lower_open = true},
    {.key = "mass_damping", .unit = "1/s", .doc = "damping in proportion to the mass (Rayleigh's α)", .lower = 0},
    {.key = "shear_viscosity", .unit = "Pa s", .doc = "viscous (Kelvin–Voigt) resistance to shear", .lower = 0},
    {.key = "bulk_viscosity", .unit = "Pa s", .doc = "viscous (Kelvin–Voigt) resistance to changes of volume", .lower = 0},
};

/// A Maxwell element, see `make_maxwell_branches`.
inline constexpr ParamSpec branch_parameters[] = {
    {.key = "shear", .unit = "Pa", .doc = "shear modulus of the element", .lower = 0},
    {.key = "time", .unit = "s", .doc = "relaxation time (decay to 1/e)", .lower = 0, .lower_open = true},
};

/// See `make_plastic_flow` and, but for the last, `make_finite_plastic_flow`.
inline constexpr ParamSpec plastic_parameters[] = {
    {.key = "yield_stress", .unit = "Pa", .doc = "in tension, of the virgin material", .lower = 0, .lower_open = true},
    {.key = "hardening", .unit = "Pa", .doc = "linear isotropic hardening", .default_value = 0, .lower = 0},
    {.key = "saturation", .unit = "Pa", .doc = "S of the part S (1 - exp(-rate alpha)) of the yield stress", .default_value = 0, .lower = 0},
    {.key = "saturation_rate", .unit = "1", .doc = "rate in exp(-rate alpha), alpha the accumulated plastic strain", .default_value = 0, .lower = 0},
    {.key = "kinematic_hardening", .unit = "Pa", .doc = "linear kinematic hardening", .default_value = 0, .lower = 0},
};
/// Those of a law that can flow.
std::span<const ParamSpec> plastic_parameters_of(std::string_view law);

}  // namespace invar
