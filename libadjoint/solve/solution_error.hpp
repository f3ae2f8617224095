#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// The one rule for what rounding may leave. A solution of linear or nonlinear equations whose estimated relative error
/// is larger than this is refused: it has fewer than three digits. What is between this and the tolerance that was asked
/// is a solution, and who compares its derivatives (certificates) must allow for its error.
inline constexpr double useful_error = 1e-3;

/// Estimate of ‖x − A⁻¹ b‖ / ‖x‖, by one more correction of iterative refinement: r = b − A x, rounded as it was computed,
/// is solved for with the preconditioner and compared with x in the norm ‖D ·‖₂, D the largest magnitude of each row
/// (one unit for displacements and pressures: `row_scale`). Infinite where the correction is not finite. With exact factors that is
/// what the rounding of r makes of x, which no correction in double precision lowers (N. J. Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., 2002, ch. 12). Costs one application of the preconditioner. Collective.
double solution_error(PC factors, Mat A, bool transpose, Vec r, Vec x);

}  // namespace invar
