#include "libadjoint/solve/krylov_stopping_test.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

/// Expected number of further iterations, from the better of two convergence rates: since the start, and over the last half.
/// Conjugate gradients become faster, restarted methods slower.
double KrylovStoppingTest::expected() const {
  const std::size_t now = norms.size() - 1, half = now / 2;
  const auto rate = [&](std::size_t from) { return std::log(norms[from] / norms[now]) / double(now - from); };
  const double best = std::max(rate(0), rate(half));
  return best > 0 ? std::log(norms[now] / target) / best : HUGE_VAL;
}

PetscErrorCode KrylovStoppingTest::test(KSP, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* context) {
  constexpr int fewest = 20, often = 10;
  KrylovStoppingTest& stopping = *static_cast<KrylovStoppingTest*>(context);
  *reason = KSP_CONVERGED_ITERATING;
  if (iteration == 0) stopping.start = norm, stopping.norms.clear();
  stopping.norms.push_back(norm);
  if (stopping.monitor) stopping.monitor->krylov(stopping.method, int(iteration), norm / stopping.right_hand_side);
  if (!std::isfinite(norm)) {
    *reason = KSP_DIVERGED_NANORINF;
  } else if (norm <= stopping.target) {
    *reason = KSP_CONVERGED_ATOL;
  } else if (stopping.limit > 0 && iteration >= stopping.tested_from) {
    const double needed = std::log(stopping.start / stopping.target), gained = std::log(stopping.start / norm);
    if (gained < needed * std::pow(double(iteration) / stopping.limit, stopping.power)) *reason = KSP_DIVERGED_ITS;
  }
  if (*reason != KSP_CONVERGED_ITERATING || iteration == 0 || iteration % often != 0) return 0;
  if (stopping.stop && stopping.stop()) stopping.gave_up = true;
  if (iteration >= fewest && stopping.give_up && stopping.give_up(int(iteration), stopping.expected())) stopping.gave_up = true;
  if (stopping.gave_up) *reason = KSP_DIVERGED_ITS;
  return 0;
}

}  // namespace invar
