#pragma once
#include <span>

#include "libfem/solid/material.hpp"

namespace invar {

/// Smallest stiffness of a material at rest [Pa]: over all strains, or over volume-preserving ones if `isochoric`.
/// Positive for a stable material. `constants`: in the order of Material::evaluate.
double smallest_stiffness(const Material& material, std::span<const double> constants, bool isochoric);

/// Bulk modulus at rest [Pa]: pressure over change of volume in a uniform strain, also of anisotropic laws.
double bulk_modulus(const Material& material, std::span<const double> constants);

}  // namespace invar
