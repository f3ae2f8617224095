#include "libadjoint/solve/solution_error.hpp"

#include <cmath>

#include "libadjoint/solve/options_scope.hpp"

namespace invar {

double solution_error(PC factors, Mat A, bool transpose, Vec r, Vec x) {
  VecHandle scale, correction;
  check(VecDuplicate(r, scale.out()));
  check(VecDuplicate(r, correction.out()));
  {
    const QuietErrors quiet;
    if ((transpose ? PCApplyTranspose(factors, r, correction) : PCApply(factors, r, correction)) != 0) return HUGE_VAL;
  }
  check(MatGetRowMaxAbs(A, scale, nullptr));
  check(VecSqrtAbs(scale));
  PetscReal error = 0, size = 0;
  check(VecPointwiseMult(correction, correction, scale));
  check(VecNorm(correction, NORM_2, &error));
  check(VecPointwiseMult(correction, x, scale));
  check(VecNorm(correction, NORM_2, &size));
  if (error == 0) return 0;
  return std::isfinite(error / size) ? error / size : HUGE_VAL;
}

}  // namespace invar
