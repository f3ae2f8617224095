// Treatment of a transported component, such as an eddy viscosity, in pseudo-time.
#include <algorithm>
#include <cmath>

#include "libfem/form/form_residual.hpp"

namespace invar {

std::vector<int> FormResidual::transported_rows() const {
  std::vector<int> rows;
  if (transported_.component < 0) return rows;
  for (int node = 0; node < dofs_->mesh().node_total(); ++node)
    if (const int dof = dofs_->dof(node, transported_.component); dof >= 0 && dof < dofs_->n_owned()) rows.push_back(dof);
  return rows;
}

void FormResidual::begin_from_easier(Vec u) {
  std::vector<char> held(dofs_->n_owned(), 0);
  for (const int row : constrained_rows_) held[row] = 1;
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (const int row : transported_rows())
    if (!held[row]) a[row] = transported_.start;
  check(VecRestoreArray(u, &a));
}

void FormResidual::mark_transported(Vec marks) {
  double* a = nullptr;
  check(VecGetArray(marks, &a));
  for (const int row : transported_rows()) a[row] = 1;
  check(VecRestoreArray(marks, &a));
}

int FormResidual::limit_change(Vec u, Vec trial) {
  const double* before = nullptr;
  double* after = nullptr;
  int clipped = 0;
  check(VecGetArrayRead(u, &before));
  check(VecGetArray(trial, &after));
  for (const int row : transported_rows()) {
    const double x = before[row], size = std::abs(x);
    const double wanted = after[row];
    after[row] = std::clamp(wanted, x - std::max(transported_.down_share * size, transported_.down_least), x + std::max(transported_.up_share * size, transported_.up_least));
    clipped += after[row] != wanted;
  }
  check(VecRestoreArray(trial, &after));
  check(VecRestoreArrayRead(u, &before));
  return clipped;
}

}  // namespace invar
