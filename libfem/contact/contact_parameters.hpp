#pragma once
#include "libadjoint/param_spec.hpp"

namespace invar {

/// Parameters of a contact pair, in the order of the forms' coefficients (`contact_forms.hpp`). The defaults of the first two are
/// computed from materials and mesh.
inline constexpr ParamSpec contact_parameters[] = {
    {.key = "stiffness", .unit = "Pa", .doc = "κ, barrier stiffness: the pressure is 1.2 κ at a gap of d̂/2 and 12 κ at d̂/10", .lower = 0, .lower_open = true,
     .may_be_field = false},
    {.key = "distance", .unit = "m", .doc = "d̂: gap below which the pressure acts", .lower = 0, .lower_open = true,
     .may_be_field = false},
    {.key = "friction", .unit = "1", .doc = "Coulomb's friction coefficient", .lower = 0, .may_be_field = false},
    {.key = "slip_speed", .unit = "m/s", .doc = "slip speed below which the friction is regularised: it falls smoothly to zero", .default_value = 0.001, .lower = 0, .lower_open = true,
     .may_be_field = false},
};

/// Default of κ, as a fraction of the stiffness at rest of the softer body.
inline constexpr double default_contact_stiffness = 0.1;
/// Default number of pieces per facet edge. Nodal pressures of patch tests are then off by up to 0.1 % (first order) and 1 % in 2-D, 1.5 % and
/// 2.5 % in space, where the cost grows with the square of the number (libfem/README.md).
constexpr int default_contact_samples(int dim, int order) { return dim == 2 ? 8 * order : order == 1 ? 4 : 12; }

}  // namespace invar
