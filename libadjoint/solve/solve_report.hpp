#pragma once
#include <petscsys.h>

#include <limits>
#include <string>

namespace invar {

/// Result of one linear solve. `converged` is true only after the true residual was computed with the exact operator;
/// otherwise `reason` is the error message.
struct SolveReport {
  bool converged = false;
  int iterations = 0;             // Krylov iterations of `method`; 0 when back-substitution alone sufficed
  double residual = std::numeric_limits<double>::quiet_NaN();  // true ‖b − A x‖ / ‖b‖
  double error = std::numeric_limits<double>::quiet_NaN();  // estimated relative error of x; NaN: not estimated
  std::string reason;             // why converged or not
  std::string method;             // method that computed the solution
  std::string given_up;           // the method before it, if `auto` changed in this solve,
  int given_up_iterations = 0;    // and its iterations
  bool factored = false;          // factors or preconditioner were computed in this solve
  bool negative_curvature = false;  // the operator is indefinite
  bool singular = false;          // the operator has a null vector to round-off
  PetscInt singular_dof = -1;     // global row where that null vector is largest; −1 unknown
  double seconds = 0;             // wall time, set-up included
};

}  // namespace invar
