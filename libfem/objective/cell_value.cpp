#include "libfem/objective/cell_value.hpp"

namespace invar {

bool CellValue::mine() const {
  int rank = 0;
  MPI_Comm_rank(residual_->comm(), &rank);
  return rank == owner_;
}

double CellValue::shared(double value) const {
  MPI_Bcast(&value, 1, MPI_DOUBLE, owner_, residual_->comm());
  return value;
}

void CellValue::evaluate(const EvaluationPoint& u, double* y) { *y = shared(mine() ? u.controls()[control_][cell_] : 0.0); }

void CellValue::jvp(const EvaluationPoint&, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = shared(mine() && d_dot && !(*d_dot)[control_].empty() ? (*d_dot)[control_][cell_] : 0.0);
}

void CellValue::vjp(const EvaluationPoint&, const double* y_bar, const State&, Controls* d_bar) {
  if (mine() && d_bar && !(*d_bar)[control_].empty()) (*d_bar)[control_][cell_] += y_bar[0];
}

void CellValue::vjp_tangent(const EvaluationPoint& u, const double*, const double* y_bar_dot, const State&, const Controls*,
                            const State& u_bar_dot, Controls* d_bar_dot) {
  if (y_bar_dot) vjp(u, y_bar_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
