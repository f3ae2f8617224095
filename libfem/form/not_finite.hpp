#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "libfem/form/form_residual.hpp"
#include "libfem/space/dof_name.hpp"

namespace invar {

/// The first term of the equation that is not a finite number at u, with an unknown in whose equation it stands, as text for a report:
/// "the traction 'wind' is not a finite number in the equation of u_x at (2, 0.75), region 'right'". Preferred are nodes at which a coefficient
/// of the term is not finite. Empty if all terms are finite, or u is not. Collective.
inline std::string what_is_not_finite(FormResidual& residual, const EvaluationPoint& u) {
  const auto is_finite = [](Vec v) {
    double norm = 0;
    check(VecNorm(v, NORM_2, &norm));
    return std::isfinite(norm);
  };
  if (!is_finite(u.unknown)) return {};
  const DofMap& dofs = residual.dofs();
  const VecHandle r = zeros_like(u.unknown);
  for (int form = 0; form < residual.form_count(); ++form) {
    if (!residual.is_of_equation(form)) continue;
    residual.form_residual(form, u, r);
    if (is_finite(r)) continue;
    const std::vector<Coefficient>& coefficients = residual.form_coefficients(form, u.given);
    // The number of the row; larger by the number of all rows if the coefficients are finite at its node.
    long long first = 2 * dofs.n_global();
    const double* a = nullptr;
    check(VecGetArrayRead(r, &a));
    for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
      for (int row = dofs.first_dof(node); row < dofs.first_dof(node + 1); ++row)
        if (!std::isfinite(a[row])) {
          const bool finite = std::ranges::all_of(coefficients, [&](const Coefficient& c) {
            return c.layout != Coefficient::Layout::per_node || std::isfinite(c.values[std::size_t(node)]);
          });
          first = std::min(first, dofs.global_offset() + row + (finite ? dofs.n_global() : 0));
        }
    check(VecRestoreArrayRead(r, &a));
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_LONG_LONG, MPI_MIN, dofs.comm());
    const std::string& name = residual.form_name(form);
    return (name.empty() ? "a term of the equation" : name) + " is not a finite number in the equation of " + dof_name(dofs, first % dofs.n_global());
  }
  return {};
}

}  // namespace invar
