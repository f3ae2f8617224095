#pragma once
#include <array>
#include <optional>

#include "libfem/design/geometry/sampled_surface.hpp"

namespace invar {

/// A point, m, where two pieces of a surface (segments or triangles) cross, touch or overlap, if they do. Common
/// vertices and edges of neighbours are ignored, also for triangles folded flat onto each other. The pieces' boxes must
/// overlap.
std::optional<std::array<double, 3>> find_crossing(const SampledSurface& surface, int piece, int other);

}  // namespace invar
