#pragma once
#include <string>

#include "libadjoint/solve/shell_preconditioner.hpp"

namespace invar {

/// A block-triangular operator that is solved by its diagonal blocks, one after the other: the preconditioner of
/// LinearSolver's `block_triangular` (flexible Krylov method). All calls are collective.
class TriangularBlocks : public ShellPreconditioner {
 public:
  /// Prepares solves for the present values of the operator. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
  /// Relative residual of the solves with the blocks.
  virtual void set_tolerance(double rtol) = 0;
};

}  // namespace invar
