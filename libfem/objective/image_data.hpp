#pragma once
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// Displacements at many points that a camera has seen (digital image correlation), in frames.
DataEntry<QuantityCase> image_data();

}  // namespace invar
