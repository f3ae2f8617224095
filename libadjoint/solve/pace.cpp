#include "libadjoint/solve/pace.hpp"

#include <cmath>

namespace invar {

PetscErrorCode Pace::test(KSP, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* context) {
  Pace& pace = *static_cast<Pace*>(context);
  *reason = KSP_CONVERGED_ITERATING;
  if (iteration == 0) pace.start = norm;
  if (!std::isfinite(norm)) {
    *reason = KSP_DIVERGED_NANORINF;
  } else if (norm <= pace.target) {
    *reason = KSP_CONVERGED_ATOL;
  } else if (pace.limit > 0 && iteration >= pace.judged_from) {
    const double needed = std::log(pace.start / pace.target), gained = std::log(pace.start / norm);
    if (gained < needed * std::pow(double(iteration) / pace.limit, pace.power)) *reason = KSP_DIVERGED_ITS;
  }
  return 0;
}

}  // namespace invar
