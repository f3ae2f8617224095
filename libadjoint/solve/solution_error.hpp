#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Largest acceptable estimated relative error of a solution of linear or nonlinear equations: a solution with fewer
/// than three digits is a failed solve. A solution whose error is between the requested tolerance and this bound is
/// accepted; comparisons of its derivatives (certificates) must allow for the error. There is no other rule for
/// round-off in solutions.
inline constexpr double useful_error = 1e-3;

/// Estimate of ‖x − A⁻¹ b‖ / ‖x‖ by one step of iterative refinement: the correction for the computed residual r = b −
/// A x, by one application of the preconditioner, relative to x in the norm ‖D ·‖₂. D is the scale of each row
/// (`row_scale`), which gives displacements and pressures one unit. Infinite if the correction is not finite. With
/// exact factors this is the effect of the rounding of r on x, which refinement in double precision cannot reduce (N.
/// J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, ch. 12). Collective.
double solution_error(PC factors, Mat A, bool transpose, Vec r, Vec x);

}  // namespace invar
