#pragma once
#include <memory>

#include "libadjoint/constraint/expanded_state.hpp"
#include "libadjoint/observable.hpp"

namespace invar {

/// An observable of the unknowns u = T q of one equation, as an observable of the reduced unknowns q.
class ReducedObservable final : public Observable {
 public:
  /// like: a vector u of the kind that the inner observable reads.
  ReducedObservable(std::shared_ptr<Observable> inner, std::shared_ptr<const ConstraintMap> map, VecHandle like, int part = 0,
                    bool with_memory = true)
      : inner_(std::move(inner)), map_(std::move(map)), like_(std::move(like)), part_(part), with_memory_(with_memory) {}

  int size() const override { return inner_->size(); }
  void evaluate(const EvaluationPoint& q, double* y) override {
    ExpandedState states = expanded();
    inner_->evaluate(states.point(q), y);
  }
  void jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, double* y_dot) override {
    ExpandedState states = expanded();
    const EvaluationPoint u = states.point(q);
    inner_->jvp(u, states.direction(q_dot, q, map_->rates(d_dot)), d_dot, y_dot);
  }
  void vjp(const EvaluationPoint& q, const double* y_bar, const State& q_bar, Controls* d_bar) override {
    ExpandedState states = expanded();
    const bool moves = map_->varies() && d_bar;
    const EvaluationPoint u = states.point(q);
    const State u_bar = states.wanted(q_bar, moves ? &q : nullptr);
    inner_->vjp(u, y_bar, u_bar, d_bar);
    states.reduce(u_bar, q_bar);
    if (!moves) return;
    std::vector<double> v_bar;
    states.add_number_gradient(q, u_bar, v_bar);
    map_->add_gradient(std::move(v_bar), *d_bar);
  }
  void vjp_tangent(const EvaluationPoint& q, const double* y_bar, const double* y_bar_dot, const State& q_dot,
                   const Controls* d_dot, const State& q_bar_dot, Controls* d_bar_dot) override {
    ExpandedState states = expanded();
    const bool moves = map_->varies() && d_bar_dot;
    const std::vector<double> rates = map_->rates(d_dot);
    const EvaluationPoint u = states.point(q);
    const State u_bar_dot = states.wanted(q_bar_dot, moves ? &q : nullptr);
    inner_->vjp_tangent(u, y_bar, y_bar_dot, states.direction(q_dot, q, rates), d_dot, u_bar_dot, d_bar_dot);
    std::vector<double> v_bar, v_bar_dot;
    states.reduce_second(q, q_dot, rates, u_bar_dot, q_bar_dot, moves, [&](const State& u_bar) { inner_->vjp(u, y_bar, u_bar, nullptr); }, v_bar, v_bar_dot);
    if (moves) map_->add_gradient_rate(std::move(v_bar), std::move(v_bar_dot), d_dot, *d_bar_dot);
  }

 private:
  ExpandedState expanded() const { return {*map_, like_, part_, with_memory_}; }

  std::shared_ptr<Observable> inner_;
  std::shared_ptr<const ConstraintMap> map_;
  VecHandle like_;
  int part_;
  bool with_memory_;
};

}  // namespace invar
