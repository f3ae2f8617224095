#pragma once
#include "libfem/form/term_spec.hpp"

namespace invar {

// Loads common to solids and flows: their entries in the spec.

/// Coefficients: t_x, t_y, (t_z) [Pa].
inline TermSpec traction_term() {
  return {.name = "traction",
          .doc = "Traction with fixed direction: force per undeformed area, or per area of a fluid's boundary.",
          .parameters = {{.spec = {.key = "", .unit = "Pa", .doc = "traction"}, .per_axis = true, .may_be_formula = true, .grows = true}}};
}

/// Coefficients: f_x, f_y, (f_z) [N/m³].
inline TermSpec body_force_term() {
  return {.name = "body_force",
          .doc = "Body force with fixed direction: per undeformed volume, or per volume of a fluid.",
          .domain = TermSpec::Domain::cells,
          .parameters = {{.spec = {.key = "", .unit = "N/m^3", .doc = "force density"}, .per_axis = true, .may_be_formula = true, .grows = true}}};
}

/// Coefficient: p [Pa].
inline TermSpec pressure_term() {
  return {.name = "pressure",
          .doc = "Solid: pressure on the deformed surface (follower load). Flow: pressure outside an open boundary.",
          .parameters = {{.spec = {.key = "p", .unit = "Pa", .doc = "positive: acts inward"}, .may_be_formula = true, .grows = true}}};
}

}  // namespace invar
