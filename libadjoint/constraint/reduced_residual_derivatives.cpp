// Derivatives of an equation under linear constraints: forward, reverse, second order. With r_q = T(d)ᵀ r(T(d) q, d) the controls also act by T,
// on the state and on the test functions.
#include "libadjoint/constraint/reduced_residual.hpp"

namespace invar {

/// λ without its prescribed entries, of which the test functions in T have no part.
VecHandle ReducedResidual::free_part(Vec lambda) const {
  VecHandle free = zeros_like(lambda);
  check(VecCopy(lambda, free));
  constrained_.clear(free);
  return free;
}

void ReducedResidual::jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec r_dot) {
  prepare(q.given);
  const std::vector<double> rates = map_->rates(d_dot);
  check(VecSet(r_dot, 0.0));
  for (int p = 0; p < map_->part_count(); ++p) {
    Residual& equation = *parts_[p].equation;
    ExpandedState states = expanded(p);
    const EvaluationPoint u = states.point(q);
    VecHandle of_all = zeros_like(parts_[p].like);
    equation.jvp(u, states.direction(q_dot, q, rates), d_dot, of_all);
    check(MatMultTransposeAdd(parts_[p].tests, of_all, r_dot, r_dot));
    if (rates.empty()) continue;
    const VecHandle by_tests = map_->create_reduced();
    equation.residual(u, of_all);
    map_->add_reduced_rate(rates, of_all, by_tests, p);
    constrained_.clear(by_tests);
    check(VecAXPY(r_dot, 1.0, by_tests));
  }
}

void ReducedResidual::vjp(const EvaluationPoint& q, Vec lambda, const State& q_bar, Controls* d_bar) {
  prepare(q.given);
  const bool moves = map_->varies() && d_bar;
  std::vector<double> v_bar;
  for (int p = 0; p < map_->part_count(); ++p) {
    Residual& equation = *parts_[p].equation;
    ExpandedState states = expanded(p);
    VecHandle multiplier = zeros_like(parts_[p].like);
    check(MatMult(parts_[p].tests, lambda, multiplier));
    const EvaluationPoint u = states.point(q);
    const State u_bar = states.wanted(q_bar, moves ? &q : nullptr);
    equation.vjp(u, multiplier, u_bar, d_bar);
    states.reduce(u_bar, q_bar);
    if (!moves) continue;
    states.add_number_gradient(q, u_bar, v_bar);
    const VecHandle r = zeros_like(parts_[p].like);
    equation.residual(u, r);
    map_->add_number_gradient(free_part(lambda), r, v_bar, p);
  }
  if (moves) map_->add_gradient(std::move(v_bar), *d_bar);
}

void ReducedResidual::vjp_tangent(const EvaluationPoint& q, Vec lambda, const State& q_dot, Vec lambda_dot,
                                  const Controls* d_dot, const State& q_bar_dot, Controls* d_bar_dot) {
  prepare(q.given);
  const bool moves = map_->varies() && d_bar_dot;
  const std::vector<double> rates = map_->rates(d_dot);
  std::vector<double> v_bar, v_bar_dot;
  for (int p = 0; p < map_->part_count(); ++p) {
    Residual& equation = *parts_[p].equation;
    ExpandedState states = expanded(p);
    VecHandle multiplier = zeros_like(parts_[p].like), multiplier_dot;
    check(MatMult(parts_[p].tests, lambda, multiplier));
    if (lambda_dot || !rates.empty()) multiplier_dot = zeros_like(parts_[p].like);
    if (lambda_dot) check(MatMult(parts_[p].tests, lambda_dot, multiplier_dot));
    if (!rates.empty()) map_->add_rate(rates, free_part(lambda), multiplier_dot, p);
    const EvaluationPoint u = states.point(q);
    const State u_dot = states.direction(q_dot, q, rates), u_bar_dot = states.wanted(q_bar_dot, moves ? &q : nullptr);
    equation.vjp_tangent(u, multiplier, u_dot, multiplier_dot, d_dot, u_bar_dot, d_bar_dot);
    states.reduce_second(q, q_dot, rates, u_bar_dot, q_bar_dot, moves, [&](const State& u_bar) { equation.vjp(u, multiplier, u_bar, nullptr); }, v_bar, v_bar_dot);
    if (!moves) continue;
    const VecHandle r = zeros_like(parts_[p].like);
    equation.jvp(u, u_dot, d_dot, r);
    map_->add_number_gradient(free_part(lambda), r, v_bar_dot, p);
    equation.residual(u, r);
    map_->add_number_gradient(free_part(lambda), r, v_bar, p);
    if (lambda_dot) map_->add_number_gradient(free_part(lambda_dot), r, v_bar_dot, p);
  }
  if (moves) map_->add_gradient_rate(std::move(v_bar), std::move(v_bar_dot), d_dot, *d_bar_dot);
}

// ---- history variables, those of the first equation ----------------------------------------------------

void ReducedResidual::update_memory(const EvaluationPoint& q, Vec next) {
  ExpandedState states = expanded(0);
  main().capabilities().history_variables->update_memory(states.point(q), next);
}

void ReducedResidual::update_memory_jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec next_dot) {
  ExpandedState states = expanded(0);
  const EvaluationPoint u = states.point(q);
  main().capabilities().history_variables->update_memory_jvp(u, states.direction(q_dot, q, map_->rates(d_dot)), d_dot, next_dot);
}

void ReducedResidual::update_memory_vjp(const EvaluationPoint& q, Vec next_bar, const State& q_bar, Controls* d_bar) {
  ExpandedState states = expanded(0);
  const bool moves = map_->varies() && d_bar;
  const EvaluationPoint u = states.point(q);
  const State u_bar = states.wanted(q_bar, moves ? &q : nullptr);
  main().capabilities().history_variables->update_memory_vjp(u, next_bar, u_bar, d_bar);
  states.reduce(u_bar, q_bar);
  if (!moves) return;
  std::vector<double> v_bar;
  states.add_number_gradient(q, u_bar, v_bar);
  map_->add_gradient(std::move(v_bar), *d_bar);
}

}  // namespace invar
