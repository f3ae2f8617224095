#pragma once
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/param_spec.hpp"

namespace invar {

/// Parameter of every fluid in addition to those of its law.
inline constexpr ParamSpec resistance_parameter{.key = "resistance", .unit = "Pa s/m^2",
                                                .doc = "Brinkman resistance of a porous body", .default_value = 0.0,
                                                .lower = 0};
/// Parameter of a fluid with a passive scalar.
inline constexpr ParamSpec diffusivity_parameter{.key = "diffusivity", .unit = "m^2/s",
                                                 .doc = "diffusivity of the passive scalar", .lower = 0,
                                                 .lower_open = true};

/// The finite elements of a section `physics`, for reports.
std::string flow_elements(const spec::Value& physics);

/// Adds the keys of a turbulence model. walls: which regions count as walls by default.
spec::Table with_turbulence(spec::Table options, const char* walls);

}  // namespace invar
