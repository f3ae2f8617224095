#pragma once
#include <memory>
#include <vector>

#include "libadjoint/constraint/expanded_state.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// Several equations r_k(w_k) = 0 under linear constraints w = T q, as one equation for q: Σ_k T_kᵀ r_k(T_k q) = 0. T may depend on controls.
/// Constraint forces do no work along admissible directions, so they drop out. Dirichlet rows of the equations remain
/// Dirichlet rows. The matrix is Σ T_kᵀ K_k T_k. `ReducedObservable` converts observables of w_k. The controls are
/// those of the first equation; the others read them too. History variables and pseudo-time are those of the first
/// equation. The potential is the sum over all equations, if each has one.
class ReducedResidual final : public Residual, public Evolution, public HistoryVariables, public Potential,
                              public StepLimit, public ChangingPattern, public PseudoTime {
 public:
  /// Throws std::invalid_argument if a prescribed unknown is tied to others. Collective.
  ReducedResidual(std::vector<std::shared_ptr<Residual>> equations, std::shared_ptr<const ConstraintMap> map);

  MPI_Comm comm() const override { return main().comm(); }
  VecHandle create_vector() const override { return map_->create_reduced(); }
  const std::vector<ControlInfo>& controls() const override { return main().controls(); }
  const Controls& control_values() const override { return main().control_values(); }
  const RowSet& constrained_rows() const override { return constrained_; }
  void impose_constraints(const Setting& given, Vec q) override;
  bool residual(const EvaluationPoint& q, Vec r) override;
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& q, const PerLevel<double>& weights) override;
  Mat matrix() const override { return matrix_; }
  bool symmetric() const override;
  MatrixHints matrix_hints() const override;
  /// Copies the matrix hints of the first equation (near-null modes, coarse space); call it again after they have changed.
  void describe_matrix();
  Capabilities capabilities() override;
  void jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(const EvaluationPoint& q, Vec lambda, const State& q_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& q, Vec lambda, const State& q_dot, Vec lambda_dot, const Controls* d_dot,
                   const State& q_bar_dot, Controls* d_bar_dot) override;

  // Capabilities; available if the equations have them.
  std::vector<char> algebraic_unknowns() const override;
  SolveReport initial(Level level, const Setting& given, Vec q) override;
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec q_dot) override;
  SolveReport initial_vjp(Level level, const Setting& given, Vec q_bar, Controls& d_bar) override;
  SolveReport initial_vjp_tangent(Level level, const Setting& given, Vec q_bar, const Controls& d_dot, Vec q_bar_dot, Controls& d_bar_dot) override;
  VecHandle create_memory() const override { return main().create_memory(); }
  void update_memory(const EvaluationPoint& q, Vec next) override;
  void update_memory_jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec next_dot) override;
  void update_memory_vjp(const EvaluationPoint& q, Vec next_bar, const State& q_bar, Controls* d_bar) override;
  double potential(const EvaluationPoint& q) override;
  bool admits(const EvaluationPoint& q) override;
  double longest_step(const EvaluationPoint& q, Vec step) override;
  bool update_pattern(const EvaluationPoint& q) override;
  void damped_jacobian(const EvaluationPoint& q, double cfl) override;
  void add_damping(const EvaluationPoint& q, Vec dq, double cfl, Vec r) override;
  double first_factor() const override;
  void begin_from_easier(Vec q) override;
  void mark_transported(Vec marks) override;
  int limit_change(Vec q, Vec trial) override;

 private:
  struct Part {
    std::shared_ptr<Residual> equation;
    VecHandle like;   // a vector with the equation's layout
    MatHandle tests;  // T without the coupling of tied unknowns to prescribed ones: the free directions
    MatHandle matrix; // Tᵀ K T
    std::vector<VecHandle> spare;  // vectors of the equation, for ExpandedState
  };
  Residual& main() const { return *parts_.front().equation; }
  ExpandedState expanded(int part) { return {*map_, parts_[part].like, part, part == 0, &parts_[part].spare}; }
  /// Copies the entries that q and w_k have in common, in both directions.
  void pick(int part, Vec u, Vec q) const;
  void unpick(int part, Vec q_bar, Vec u_bar) const;
  /// Gives T and the tests the coefficients for these controls.
  void prepare(const Setting& given);
  VecHandle free_part(Vec lambda) const;
  void restrict_tests();
  void form_matrix(bool anew);
  std::vector<char> held() const;

  std::vector<Part> parts_;
  std::shared_ptr<const ConstraintMap> map_;
  int tests_version_ = 0;  // of T
  RowSet constrained_;
  MatHandle matrix_;
  NullSpaceHandle near_null_space_;
  MatHandle prolongation_;
};

}  // namespace invar
