#include "libfem/mechanism/motion_force.hpp"

namespace invar {

VecHandle MotionForce::times(double factor) const {
  VecHandle w = zeros_like(motion_);
  check(VecAXPY(w, factor, motion_));
  return w;
}

void MotionForce::evaluate(const EvaluationPoint& u, double* y) {
  VecHandle r = residual_->create_vector();
  EvaluationPoint at = u;
  if (!at.unknown) at.unknown = at.levels[Level::value];  // where time begins; rows of constraints do not count
  residual_->residual(at, r);
  check(VecDot(motion_, r, y));
}

void MotionForce::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  VecHandle r_dot = residual_->create_vector();
  residual_->jvp(u, u_dot, d_dot, r_dot);
  check(VecDot(motion_, r_dot, y_dot));
}

void MotionForce::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  residual_->vjp(u, times(*y_bar), u_bar, d_bar);
}

void MotionForce::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                              const State& u_bar_dot, Controls* d_bar_dot) {
  residual_->vjp_tangent(u, times(*y_bar), u_dot, times(y_bar_dot ? *y_bar_dot : 0.0), d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
