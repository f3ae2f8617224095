#pragma once
#include <span>

#include "libfem/solid/material.hpp"

namespace invar {

/// Smallest stiffness of a material at rest [Pa]: of all strains, or of the volume-preserving ones when
/// `isochoric`. A material that is not unstable from the start has a positive one. `constants`: in the
/// order of Material::evaluate.
double smallest_stiffness(const Material& material, std::span<const double> constants, bool isochoric);

}  // namespace invar
