#pragma once
#include <array>
#include <optional>

#include "libfem/design/geometry/sampled_surface.hpp"

namespace invar {

/// A point, m, where two pieces of a surface meet that should not: segments or triangles cross, touch
/// or overlap. What neighbours share does not count, nor that two triangles with a common edge are
/// folded flat onto each other. The pieces' boxes must overlap.
std::optional<std::array<double, 3>> find_crossing(const SampledSurface& surface, int piece, int other);

}  // namespace invar
