#pragma once
#include <span>

#include "libfem/solid/material.hpp"

namespace invar {

/// Smallest stiffness of a material at rest [Pa]: over all strains, or over volume-preserving ones if `isochoric`.
/// Positive for a stable material. `constants`: in the order of Material::evaluate.
double smallest_stiffness(const Material& material, std::span<const double> constants, bool isochoric);

/// Bulk modulus at rest [Pa]: pressure over change of volume in a uniform strain, also of anisotropic laws.
double bulk_modulus(const Material& material, std::span<const double> constants);

/// Bulk modulus over shear modulus at rest, the latter half of the smallest stiffness (of an anisotropic law the softest).
double volumetric_ratio(const Material& material, std::span<const double> constants);

/// Whether the law is linear elastic: its stress is proportional to H, and an affine function of the
/// constant at position `scaled` (−1: not asked) between its value and zero. Found by evaluations at the given constants, so no law has to say it; false for laws that swell or grow.
bool has_linear_stress(const Material& material, std::span<const double> constants, int scaled);

/// `volumetric_ratio` from which elements of displacements of this order are far too stiff because they can hardly change their volume
/// (locking): 50 for the first order, a Poisson's ratio of 0.49, and 1000 for the second. Chosen from beams in bending.
constexpr double locking_ratio(int order) { return order == 1 ? 50 : 1000; }

}  // namespace invar
