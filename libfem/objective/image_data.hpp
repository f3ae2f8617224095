#pragma once
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// Displacements at many points from camera images (digital image correlation), in frames.
DataEntry<QuantityCase> image_data();

}  // namespace invar
