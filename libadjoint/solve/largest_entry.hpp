#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Global row of the entry of v with the largest magnitude, or of the first one that is not finite. Owned rows marked in `excluded`
/// (empty: none) are left out. Collective.
PetscInt largest_entry(Vec v, const std::vector<char>& excluded = {});

}  // namespace invar
