#include "libadjoint/solve/solution_error.hpp"

#include <cmath>

#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/options_scope.hpp"

namespace invar {

double solution_error(PC factors, Mat A, bool transpose, Vec r, Vec x) {
  VecHandle correction = zeros_like(r);
  {
    const QuietErrors quiet;
    if ((transpose ? PCApplyTranspose(factors, r, correction) : PCApply(factors, r, correction)) != 0) return HUGE_VAL;
  }
  const VecHandle scale = row_scale(A);
  PetscReal error = 0, size = 0;
  check(VecPointwiseMult(correction, correction, scale));
  check(VecNorm(correction, NORM_2, &error));
  check(VecPointwiseMult(correction, x, scale));
  check(VecNorm(correction, NORM_2, &size));
  if (error == 0) return 0;
  return std::isfinite(error / size) ? error / size : HUGE_VAL;
}

}  // namespace invar
