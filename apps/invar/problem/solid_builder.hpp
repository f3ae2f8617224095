#pragma once
#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/param_spec.hpp"

namespace invar {

/// What every solid may be given for processes in time: density, and damping beside whatever law.
inline constexpr ParamSpec dynamic_parameters[] = {
    {.key = "density", .unit = "kg/m^3", .doc = "mass per undeformed volume", .lower = 0, .lower_open = true},
    {.key = "mass_damping", .unit = "1/s", .doc = "damping in proportion to the mass (Rayleigh's α)", .lower = 0},
    {.key = "shear_viscosity", .unit = "Pa s", .doc = "viscous (Kelvin–Voigt) resistance to shear", .lower = 0},
    {.key = "bulk_viscosity", .unit = "Pa s", .doc = "viscous (Kelvin–Voigt) resistance to changes of volume", .lower = 0},
};

/// Fills space, materials, residual, supports and loads of a solid; the mesh and times are there.
void build_solid(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);

}  // namespace invar
