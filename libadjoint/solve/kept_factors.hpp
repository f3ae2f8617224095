#pragma once
#include <cstddef>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Factors that a LinearSolver has put aside.
struct KeptFactors {
  KspHandle ksp;
  bool indefinite = false;  // negative pivots
  double weakest = 1;       // see WeakestMode
  std::size_t bytes = 0;    // of this process
};

}  // namespace invar
