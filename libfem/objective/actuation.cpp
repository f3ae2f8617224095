#include "libfem/objective/actuation.hpp"

namespace invar {

double Actuation::rate(const EvaluationPoint& u, const Controls* d_dot) const {
  return d_dot && !(*d_dot)[control_].empty() ? residual_->number(control_, (*d_dot)[control_], u.given) : 0.0;
}

void Actuation::add(const EvaluationPoint& u, double factor, Controls* d_bar) const {
  int rank = 0;
  MPI_Comm_rank(residual_->comm(), &rank);
  if (rank == 0 && d_bar && !(*d_bar)[control_].empty()) residual_->add_to_number(control_, factor, (*d_bar)[control_], u.given);
}

void Actuation::evaluate(const EvaluationPoint& u, double* y) { *y = residual_->number(control_, u.given) * residual_->number(control_, u.given); }

void Actuation::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = 2 * residual_->number(control_, u.given) * rate(u, d_dot);
}

void Actuation::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  add(u, 2 * residual_->number(control_, u.given) * y_bar[0], d_bar);
}

void Actuation::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                            const Controls* d_dot, const State&, Controls* d_bar_dot) {
  add(u, 2 * (rate(u, d_dot) * y_bar[0] + residual_->number(control_, u.given) * (y_bar_dot ? y_bar_dot[0] : 0.0)), d_bar_dot);
}

}  // namespace invar
