#pragma once
#include <vector>

#include "libadjoint/design_vector.hpp"

namespace invar {

/// Independent standard normal numbers in the layout of a design vector. Each depends on the seed, the draw and the number of its entry only,
/// so that draws are the same on any number of ranks. numbers: of this rank's local entries, different for all entries of all ranks and not
/// negative. shared: how many shared entries there are.
DesignVector white_noise(const std::vector<long long>& numbers, std::size_t shared, unsigned long long seed, int draw);

}  // namespace invar
