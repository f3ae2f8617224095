#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// Which of the first `count` shared design variables nothing depends on: at the start neither data nor objective
/// change with them, to first and second order, beyond round-off. None where the start or a derivative cannot be
/// evaluated. Collective.
std::vector<std::size_t> without_influence(CaseFunctional& functional, std::size_t count);

}  // namespace invar
