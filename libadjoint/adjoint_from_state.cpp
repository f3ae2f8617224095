#include "libadjoint/adjoint_from_state.hpp"

#include <algorithm>

namespace invar {
namespace {

constexpr double round_off = 1e-13;  // relative to ‖ū‖

/// v[row] = 0 on the rows.
void clear(const std::vector<int>& rows, Vec v) {
  double* a = nullptr;
  check(VecGetArray(v, &a));
  for (const int row : rows) a[row] = 0;
  check(VecRestoreArray(v, &a));
}

}  // namespace

std::optional<SolveReport> adjoint_from_state(Residual& residual, const EvaluationPoint& u, Vec u_bar, double rtol, Vec lambda) {
  const std::vector<int>& fixed = residual.constrained_rows();
  check(VecCopy(u, lambda));
  clear(fixed, lambda);
  const VecHandle z = residual.create_vector(), left = residual.create_vector();
  check(VecSet(z, 0.0));
  residual.vjp(u, lambda, z, nullptr);
  check(VecCopy(u_bar, left));
  clear(fixed, left);
  const VecHandle free = zeros_like(z);
  check(VecCopy(z, free));
  clear(fixed, free);
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
  double *l = nullptr, *c = nullptr;
  check(VecGetArray(lambda, &l));
  check(VecGetArray(z, &c));
  for (const int row : fixed) l[row] = c[row];
  check(VecRestoreArray(z, &c));
  check(VecRestoreArray(lambda, &l));
  SolveReport report;
  report.converged = true;
  report.residual = missed / wanted;
  report.method = "state";
  report.reason = "the adjoint is a multiple of the state";
  return report;
}

}  // namespace invar
