#pragma once
#include <cstddef>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Factors that a LinearSolver has released for later reuse.
struct KeptFactors {
  KspHandle ksp;
  bool indefinite = false;  // negative pivots
  double weakest = 1;       // smallest stiffness, see WeakestMode
  std::size_t bytes = 0;    // of this process
};

}  // namespace invar
