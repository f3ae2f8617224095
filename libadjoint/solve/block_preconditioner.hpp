#pragma once
#include <string>

#include "libadjoint/solve/shell_preconditioner.hpp"

namespace invar {

/// A preconditioner made of blocks of an assembled matrix.
class BlockPreconditioner : public ShellPreconditioner {
 public:
  /// Extracts the blocks of K and sets up their solvers. Returns an error message, empty on success. Collective.
  virtual std::string set_up(Mat K) = 0;
};

}  // namespace invar
