// What pseudo-time does with a component that flow carries, such as an eddy viscosity.
#include <algorithm>
#include <cmath>

#include "libfem/form/form_residual.hpp"

namespace invar {

void FormResidual::set_carried(int component, double factor) {
  carried_component_ = component;
  first_factor_ = factor;
}

std::vector<int> FormResidual::carried_rows() const {
  std::vector<int> rows;
  if (carried_component_ < 0) return rows;
  for (int node = 0; node < dofs_->mesh().node_total(); ++node)
    if (const int dof = dofs_->dof(node, carried_component_); dof >= 0 && dof < dofs_->n_owned()) rows.push_back(dof);
  return rows;
}

void FormResidual::begin_from(double factor, Vec u) {
  constexpr double share = 0.02;  // so much less mixing leaves boundary layers thin: less of it must be carried away
  std::vector<char> held(dofs_->n_owned(), 0);
  for (const int row : constrained_rows_) held[row] = 1;
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (const int row : carried_rows())
    if (!held[row]) a[row] = share * factor;
  check(VecRestoreArray(u, &a));
}

void FormResidual::mark_carried(Vec marks) {
  double* a = nullptr;
  check(VecGetArray(marks, &a));
  for (const int row : carried_rows()) a[row] = 1;
  check(VecRestoreArray(marks, &a));
}

/// χ ends as a front where a layer ends, and there a step of Newton's method, which is linear, brings it to minus ten thousand: the next
/// steps only undo that. Hence a step may take χ down by half of it or 10, and up by twice of it or 100, whichever is larger. Other numbers of
/// this kind do as well (tests/bench).
void FormResidual::limit_change(Vec u, Vec trial) {
  constexpr double part_down = 0.5, least_down = 10, part_up = 2, least_up = 100;
  const double* before = nullptr;
  double* after = nullptr;
  check(VecGetArrayRead(u, &before));
  check(VecGetArray(trial, &after));
  for (const int row : carried_rows()) {
    const double x = before[row], size = std::abs(x);
    after[row] = std::clamp(after[row], x - std::max(part_down * size, least_down), x + std::max(part_up * size, least_up));
  }
  check(VecRestoreArray(trial, &after));
  check(VecRestoreArrayRead(u, &before));
}

}  // namespace invar
