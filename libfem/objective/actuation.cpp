#include "libfem/objective/actuation.hpp"

namespace invar {

double Actuation::rate(const Controls* d_dot) const {
  return d_dot && !(*d_dot)[control_].empty() ? residual_->number_of(control_, (*d_dot)[control_]) : 0.0;
}

void Actuation::add(double factor, Controls* d_bar) const {
  int rank = 0;
  MPI_Comm_rank(residual_->comm(), &rank);
  if (rank == 0 && d_bar && !(*d_bar)[control_].empty()) residual_->add_to_number(control_, factor, (*d_bar)[control_]);
}

void Actuation::evaluate(const State&, double* y) { *y = residual_->number(control_) * residual_->number(control_); }

void Actuation::jvp(const State&, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = 2 * residual_->number(control_) * rate(d_dot);
}

void Actuation::vjp(const State&, const double* y_bar, const State&, Controls* d_bar) {
  add(2 * residual_->number(control_) * y_bar[0], d_bar);
}

void Actuation::vjp_tangent(const State&, const double* y_bar, const double* y_bar_dot, const State&,
                            const Controls* d_dot, const State&, Controls* d_bar_dot) {
  add(2 * (rate(d_dot) * y_bar[0] + residual_->number(control_) * (y_bar_dot ? y_bar_dot[0] : 0.0)), d_bar_dot);
}

}  // namespace invar
