#pragma once
#include <span>

#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// FieldRoughness, or NodalPenalty of an initial field.
QuantityEntry<QuantityCase> roughness_quantity();

/// ∫ of the density that is designed.
QuantityEntry<QuantityCase> material_volume_quantity();

/// The quantities of every physics, in the order of the manual.
std::span<const QuantityEntry<QuantityCase>> common_quantities();

}  // namespace invar
