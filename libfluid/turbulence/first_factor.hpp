#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Factor of the viscosity for which Newton's method solves turbulent flow around or between these walls from rest: the factor for
/// a Reynolds number of 100 (at 500 it fails on NACA 0012 at 10 degrees), based on the prescribed speed and the extent of the
/// walls, limited by the smallest extent of the mesh. 1000 if no speed is prescribed. Densities in kg/m³, viscosities in Pa s.
/// Collective.
double first_viscosity_factor(const FormResidual& residual, const std::vector<std::string>& walls, double density, double viscosity, double t);

/// The component χ of the residual for continuation in pseudo-time; Newton's method solves its flow from rest at this factor of the
/// viscosity.
TransportedComponent transported_viscosity(int component, double first_factor);

}  // namespace invar
