#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// How many times the viscosity makes turbulent flow around or between these walls one that Newton's method solves from
/// rest: as many as give a Reynolds number of 100 (at 500 it fails on NACA 0012 at 10 degrees), with the speed that the
/// boundary prescribes and the extent of the walls, at most the least of the mesh. 1000 where no speed is prescribed.
/// Densities in kg/m³, viscosities in Pa s. Collective.
double first_viscosity_factor(const FormResidual& residual, const std::vector<std::string>& walls, double density, double viscosity, double t);

/// The eddy viscosity over the molecular one as a component of the residual, whose flow Newton's method solves from rest at this factor.
CarriedComponent carried_viscosity(int component, double first_factor);

}  // namespace invar
