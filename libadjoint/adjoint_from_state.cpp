#include "libadjoint/adjoint_from_state.hpp"

#include <algorithm>

namespace invar {
namespace {

constexpr double round_off = 1e-13;  // relative to ‖ū‖

}  // namespace

std::optional<SolveReport> adjoint_from_state(Residual& residual, const EvaluationPoint& u, Vec u_bar, double rtol, Vec lambda) {
  const RowSet& fixed = residual.constrained_rows();
  check(VecCopy(u, lambda));
  fixed.clear(lambda);
  const VecHandle z = residual.create_vector(), left = residual.create_vector();
  check(VecSet(z, 0.0));
  residual.vjp(u, lambda, z, nullptr);
  check(VecCopy(u_bar, left));
  fixed.clear(left);
  const VecHandle free = zeros_like(z);
  check(VecCopy(z, free));
  fixed.clear(free);
  PetscScalar along = 0, square = 0;
  PetscReal wanted = 0, missed = 0;
  check(VecDot(left, free, &along));
  check(VecDot(free, free, &square));
  check(VecNorm(left, NORM_2, &wanted));
  if (!(square > 0) || !(wanted > 0)) return std::nullopt;
  const double factor = along / square;
  check(VecAXPY(left, -factor, free));
  check(VecNorm(left, NORM_2, &missed));
  if (!(missed <= std::max(rtol, round_off) * wanted)) return std::nullopt;
  // λ_c = ū_c − K_fcᵀ λ_f
  check(VecScale(lambda, factor));
  check(VecAYPX(z, -factor, u_bar));
  fixed.copy(z, lambda);
  SolveReport report;
  report.converged = true;
  report.residual = missed / wanted;
  report.method = "state";
  report.reason = "the adjoint is a multiple of the state";
  return report;
}

}  // namespace invar
