#pragma once
#include <memory>
#include <vector>

#include "libadjoint/constraint/expanded_state.hpp"
#include "libadjoint/observable.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// The force conjugate to a motion m of the reduced unknowns that tied unknowns of one equation carry, as an observable of the reduced
/// unknowns: w·r(T q) with the motion w = T m of the tied unknowns alone [N for a unit translation]. T may depend on controls.
class CarriedForce final : public Observable {
 public:
  /// without: tied unknowns that do not count, where this vector of the equation is not zero; null: all count.
  CarriedForce(std::shared_ptr<Residual> equation, std::shared_ptr<const ConstraintMap> map, int part, VecHandle motion, Vec without = nullptr);
  /// Whether no tied unknown follows the motion, whatever T depends on. Collective.
  bool vanishes() const;

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& q, double* y) override;
  void jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& q, const double* y_bar, const State& q_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& q, const double* y_bar, const double* y_bar_dot, const State& q_dot, const Controls* d_dot,
                   const State& q_bar_dot, Controls* d_bar_dot) override;

 private:
  ExpandedState expanded() const { return {*map_, like_, part_, part_ == 0}; }
  EvaluationPoint point(ExpandedState& states, const EvaluationPoint& q) const;
  VecHandle residual_at(const EvaluationPoint& u) const;
  /// factor · w, or with rates of the numbers of T factor · ẇ.
  VecHandle weights(double factor) const;
  VecHandle weight_rates(const std::vector<double>& rates, double factor) const;
  /// Only what counts, times a factor.
  void restrict_to_counted(Vec u, double factor) const;

  std::shared_ptr<Residual> equation_;
  std::shared_ptr<const ConstraintMap> map_;
  int part_;
  VecHandle motion_, like_;
  std::vector<char> counted_;  // by own unknown of the equation
};

}  // namespace invar
