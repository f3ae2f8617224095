#include "libadjoint/solve/pace.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

/// Iterations that are still to come, at the better of two paces: since the start, and over the last half. Conjugate
/// gradients become faster, restarted methods slower.
double Pace::expected() const {
  const std::size_t now = norms.size() - 1, half = now / 2;
  const auto pace = [&](std::size_t from) { return std::log(norms[from] / norms[now]) / double(now - from); };
  const double best = std::max(pace(0), pace(half));
  return best > 0 ? std::log(norms[now] / target) / best : HUGE_VAL;
}

PetscErrorCode Pace::test(KSP, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* context) {
  constexpr int fewest = 20, often = 10;
  Pace& pace = *static_cast<Pace*>(context);
  *reason = KSP_CONVERGED_ITERATING;
  if (iteration == 0) pace.start = norm, pace.norms.clear();
  pace.norms.push_back(norm);
  if (pace.monitor) pace.monitor->krylov(pace.method, int(iteration), norm / pace.right_hand_side);
  if (!std::isfinite(norm)) {
    *reason = KSP_DIVERGED_NANORINF;
  } else if (norm <= pace.target) {
    *reason = KSP_CONVERGED_ATOL;
  } else if (pace.limit > 0 && iteration >= pace.judged_from) {
    const double needed = std::log(pace.start / pace.target), gained = std::log(pace.start / norm);
    if (gained < needed * std::pow(double(iteration) / pace.limit, pace.power)) *reason = KSP_DIVERGED_ITS;
  }
  if (*reason != KSP_CONVERGED_ITERATING || iteration == 0 || iteration % often != 0) return 0;
  if (pace.stop && pace.stop()) pace.gave_up = true;
  if (iteration >= fewest && pace.give_up && pace.give_up(int(iteration), pace.expected())) pace.gave_up = true;
  if (pace.gave_up) *reason = KSP_DIVERGED_ITS;
  return 0;
}

}  // namespace invar
