#pragma once
#include <memory>

#include "libadjoint/constraint/expanded_state.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// An equation under linear constraints u = T q + g(d) as an equation for q, Tᵀ r(T q + g): the forces of constraints
/// do no work along them. Rows that the inner equation prescribes stay prescribed. Its matrix is Tᵀ K T. Observables of
/// u become observables of q by `ReducedObservable`.
class ReducedResidual final : public Residual, public Evolution, public HistoryVariables, public Potential,
                              public StepLimit, public ChangingPattern {
 public:
  /// Throws std::invalid_argument where a prescribed unknown follows others. Collective.
  ReducedResidual(std::shared_ptr<Residual> inner, std::shared_ptr<const ConstraintMap> map);

  MPI_Comm comm() const override { return inner_->comm(); }
  VecHandle create_vector() const override { return map_->create_reduced(); }
  const std::vector<ControlInfo>& controls() const override { return inner_->controls(); }
  const Controls& control_values() const override { return inner_->control_values(); }
  const std::vector<int>& constrained_rows() const override { return constrained_; }
  void impose_constraints(const Setting& given, Vec q) override;
  bool residual(const EvaluationPoint& q, Vec r) override;
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& q, const PerLevel<double>& weights) override;
  Mat matrix() const override { return matrix_; }
  bool symmetric() const override { return inner_->symmetric(); }
  Capabilities capabilities() override;
  void jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(const EvaluationPoint& q, Vec lambda, const State& q_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& q, Vec lambda, const State& q_dot, Vec lambda_dot, const Controls* d_dot,
                   const State& q_bar_dot, Controls* d_bar_dot) override;

  // Offered where the inner equation does.
  std::vector<char> algebraic_unknowns() const override;
  SolveReport initial(Level level, const Setting& given, Vec q) override;
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec q_dot) override;
  SolveReport initial_vjp(Level level, const Setting& given, Vec q_bar, Controls& d_bar) override;
  VecHandle create_memory() const override { return inner_->create_memory(); }
  void update_memory(const EvaluationPoint& q, Vec next) override;
  void update_memory_jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec next_dot) override;
  void update_memory_vjp(const EvaluationPoint& q, Vec next_bar, const State& q_bar, Controls* d_bar) override;
  double potential(const EvaluationPoint& q) override;
  double longest_step(const EvaluationPoint& q, Vec step) override;
  bool update_pattern(const EvaluationPoint& q) override;

 private:
  /// q = the entries of u that follow no other.
  void pick(Vec u, Vec q) const;
  void unpick(Vec q_bar, Vec u_bar) const;

  std::shared_ptr<Residual> inner_;
  std::shared_ptr<const ConstraintMap> map_;
  std::vector<int> constrained_;
  VecHandle u_;      // of the inner equation's kind
  MatHandle tests_;  // T without what prescribed unknowns do to those that follow them: the directions that are free
  MatHandle matrix_;
};

}  // namespace invar
