#include "libfem/objective/linear_observable.hpp"

#include <algorithm>

namespace invar {

LinearObservable::LinearObservable(std::shared_ptr<const DofMap> dofs, int size, std::vector<Entry> entries,
                                   Level level)
    : dofs_(std::move(dofs)), size_(size), entries_(std::move(entries)), level_(level) {}

void LinearObservable::apply(Vec u, double* y) const {
  std::fill(y, y + size_, 0.0);
  if (u) {
    const LocalArray local(u);
    for (const Entry& e : entries_) y[e.row] += e.factor * local.data()[e.dof];
  }
  MPI_Allreduce(MPI_IN_PLACE, y, size_, MPI_DOUBLE, MPI_SUM, dofs_->comm());
}

void LinearObservable::apply_transpose(const double* y_bar, Vec u_bar) const {
  VecHandle sum = dofs_->create_vector();
  Vec local = nullptr;
  double* a = nullptr;
  check(VecGhostGetLocalForm(sum, &local));
  check(VecGetArray(local, &a));
  std::fill(a, a + dofs_->n_local(), 0.0);
  for (const Entry& e : entries_) a[e.dof] += e.factor * y_bar[e.row];
  check(VecRestoreArray(local, &a));
  check(VecGhostRestoreLocalForm(sum, &local));
  check(VecGhostUpdateBegin(sum, ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(sum, ADD_VALUES, SCATTER_REVERSE));
  check(VecAXPY(u_bar, 1.0, sum));
}

void LinearObservable::evaluate(const EvaluationPoint& u, double* y) { apply(u.levels[level_], y); }

void LinearObservable::jvp(const EvaluationPoint&, const State& u_dot, const Controls*, double* y_dot) {
  apply(u_dot.levels[level_], y_dot);
}

void LinearObservable::vjp(const EvaluationPoint&, const double* y_bar, const State& u_bar, Controls*) {
  if (u_bar.levels[level_]) apply_transpose(y_bar, u_bar.levels[level_]);
}

void LinearObservable::vjp_tangent(const EvaluationPoint&, const double*, const double* y_bar_dot, const State&, const Controls*, const State& u_bar_dot,
                                   Controls*) {
  if (y_bar_dot && u_bar_dot.levels[level_]) apply_transpose(y_bar_dot, u_bar_dot.levels[level_]);
}

}  // namespace invar
