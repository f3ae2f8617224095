#include "libadjoint/constraint/carried_force.hpp"

namespace invar {

CarriedForce::CarriedForce(std::shared_ptr<Residual> equation, std::shared_ptr<const ConstraintMap> map, int part, VecHandle motion, Vec without)
    : equation_(std::move(equation)), map_(std::move(map)), part_(part), motion_(std::move(motion)), like_(equation_->create_vector()) {
  for (const int row : map_->reduced_rows(part)) counted_.push_back(row < 0);
  if (!without) return;
  const double* a = nullptr;
  check(VecGetArrayRead(without, &a));
  for (std::size_t i = 0; i < counted_.size(); ++i)
    if (a[i] != 0) counted_[i] = 0;
  check(VecRestoreArrayRead(without, &a));
}

bool CarriedForce::vanishes() const {
  PetscReal size = 0;
  check(VecNorm(weights(1), NORM_INFINITY, &size));
  return size == 0 && !map_->varies_along(motion_, part_);
}

void CarriedForce::restrict_to_counted(Vec u, double factor) const {
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (std::size_t i = 0; i < counted_.size(); ++i) a[i] = counted_[i] ? factor * a[i] : 0.0;
  check(VecRestoreArray(u, &a));
}

VecHandle CarriedForce::weights(double factor) const {
  VecHandle w = zeros_like(like_);
  map_->expand(motion_, w, part_);
  restrict_to_counted(w, factor);
  return w;
}

VecHandle CarriedForce::weight_rates(const std::vector<double>& rates, double factor) const {
  VecHandle w = zeros_like(like_);
  map_->add_rate(rates, motion_, w, part_);
  restrict_to_counted(w, factor);
  return w;
}

EvaluationPoint CarriedForce::point(ExpandedState& states, const EvaluationPoint& q) const {
  EvaluationPoint u = states.point(q);
  if (!u.unknown) u.unknown = u.levels[Level::value];  // where time begins; rows of constraints do not count
  return u;
}

VecHandle CarriedForce::residual_at(const EvaluationPoint& u) const {
  VecHandle r = zeros_like(like_);
  equation_->residual(u, r);
  return r;
}

void CarriedForce::evaluate(const EvaluationPoint& q, double* y) {
  ExpandedState states = expanded();
  const EvaluationPoint u = point(states, q);
  check(VecDot(weights(1), residual_at(u), y));
}

void CarriedForce::jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, double* y_dot) {
  ExpandedState states = expanded();
  const EvaluationPoint u = point(states, q);
  const std::vector<double> rates = map_->rates(d_dot);
  const VecHandle r_dot = zeros_like(like_);
  equation_->jvp(u, states.direction(q_dot, q, rates), d_dot, r_dot);
  check(VecDot(weights(1), r_dot, y_dot));
  if (rates.empty()) return;
  double by_weights = 0;
  check(VecDot(weight_rates(rates, 1), residual_at(u), &by_weights));
  *y_dot += by_weights;
}

void CarriedForce::vjp(const EvaluationPoint& q, const double* y_bar, const State& q_bar, Controls* d_bar) {
  ExpandedState states = expanded();
  const EvaluationPoint u = point(states, q);
  const bool moves = map_->varies() && d_bar;
  const State u_bar = states.wanted(q_bar, moves ? &q : nullptr);
  equation_->vjp(u, weights(*y_bar), u_bar, d_bar);
  states.reduce(u_bar, q_bar);
  if (!moves) return;
  std::vector<double> v_bar;
  states.add_number_gradient(q, u_bar, v_bar);
  const VecHandle r = residual_at(u);
  restrict_to_counted(r, *y_bar);
  map_->add_number_gradient(motion_, r, v_bar, part_);
  map_->add_gradient(std::move(v_bar), *d_bar);
}

// With λ = ȳ w(d) this is the derivative of λ·r(T(d) q, d), as in `ReducedResidual`.
void CarriedForce::vjp_tangent(const EvaluationPoint& q, const double* y_bar, const double* y_bar_dot, const State& q_dot, const Controls* d_dot,
                               const State& q_bar_dot, Controls* d_bar_dot) {
  ExpandedState states = expanded();
  const EvaluationPoint u = point(states, q);
  const bool moves = map_->varies() && d_bar_dot;
  const std::vector<double> rates = map_->rates(d_dot);
  const double bar_dot = y_bar_dot ? *y_bar_dot : 0.0;
  const VecHandle lambda = weights(*y_bar), lambda_dot = weights(bar_dot);
  if (!rates.empty()) check(VecAXPY(lambda_dot, 1.0, weight_rates(rates, *y_bar)));
  const State u_dot = states.direction(q_dot, q, rates), u_bar_dot = states.wanted(q_bar_dot, moves ? &q : nullptr);
  equation_->vjp_tangent(u, lambda, u_dot, lambda_dot, d_dot, u_bar_dot, d_bar_dot);
  std::vector<double> v_bar, v_bar_dot;
  states.reduce_second(q, q_dot, rates, u_bar_dot, q_bar_dot, moves, [&](const State& u_bar) { equation_->vjp(u, lambda, u_bar, nullptr); }, v_bar, v_bar_dot);
  if (!moves) return;
  const VecHandle r = residual_at(u), r_dot = zeros_like(like_);
  equation_->jvp(u, u_dot, d_dot, r_dot);
  restrict_to_counted(r_dot, *y_bar);
  check(VecAXPY(r_dot, bar_dot, r));
  restrict_to_counted(r_dot, 1);
  restrict_to_counted(r, *y_bar);
  map_->add_number_gradient(motion_, r_dot, v_bar_dot, part_);
  map_->add_number_gradient(motion_, r, v_bar, part_);
  map_->add_gradient_rate(std::move(v_bar), std::move(v_bar_dot), d_dot, *d_bar_dot);
}

}  // namespace invar
