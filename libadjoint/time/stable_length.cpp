// The longest stable step of explicit schemes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/singularity.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// 2/ω with the highest angular frequency ω of the equation linearised at this state, the longest stable step of central differences.
/// Power iteration for K z = ω² M z: its Rayleigh quotients with symmetric K are below ω², so that any longer step is unstable. Infinite:
/// none is known.
double TransientCase::stable_length(double t, const MarchState& state) {
  constexpr int most = 40;
  constexpr double settled = 1e-3;  // change of ω² in an iteration, relative
  step_.set_step(scheme_.start(t, first_length()), state.fields);
  History along = step_.create_history();
  const Vec z = along[0];
  VecHandle x = zeros_like(z), force = zeros_like(z), next = zeros_like(z);
  step_.jacobian(point(x));  // M
  solver_->set_operator(step_.matrix(), step_.symmetric());
  scatter(z);
  residual_->constrained_rows().clear(z);
  double squared = 0;
  for (int k = 0; k < most; ++k) {
    PetscReal stiffness = 0, mass = 0;
    step_.history_jvp(point(x), along, nullptr, force);  // K z
    check(VecDot(z, force, &stiffness));
    if (!solver_->solve(force, next).converged) break;  // M⁻¹ K z
    check(VecDot(next, force, &mass));
    if (!(mass > 0) || !std::isfinite(stiffness)) break;
    const double before = std::exchange(squared, k > 0 ? std::max(squared, stiffness) : 0.0);
    if (k > 1 && squared <= (1 + settled) * before) break;
    check(VecCopy(next, z));
    check(VecScale(z, 1 / std::sqrt(mass)));  // zᵀ M z = 1
  }
  return squared > 0 ? 2 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

/// Message if a step of this length is unstable; empty: it is not known to be.
std::string TransientCase::unstable_at(double t, double length, const MarchState& state) {
  constexpr double below = 0.95;  // since the estimate is from above
  const double stable = stable_length(t, state);
  if (!(length > stable)) return {};
  return "steps of " + plain_number(length) + " s are unstable at t = " + plain_number(t) + " s: an explicit scheme needs steps below " +
         short_number(below * stable) + " s here, about 2 divided by the highest angular frequency of the mesh";
}

}  // namespace invar
