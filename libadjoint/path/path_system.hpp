#pragma once
#include <memory>
#include <optional>

#include "libadjoint/observable.hpp"
#include "libadjoint/path/bordered_matrix.hpp"
#include "libadjoint/path/unknown_number.hpp"
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

/// A bordered system: equations with a number λ as an additional unknown, for points of an equilibrium path (λ: load
/// factor) and trimmed states:
///   r(u; D(d, λ)) = 0,   c(u − u₀; D(d, λ)) = τ.
/// c is a scalar observable, u₀ an origin (zero if not set). The matrix is [K b; cᵀ e] with b = ∂r/∂D ∂D/∂λ and e the
/// same derivative of c. The border is scaled to the size of K's entries, so that residual norms are meaningful. All
/// calls are collective.
/// Constrained rows are removed from the matrix as in `Linearization`: the unknowns there are functions of λ.
class PathSystem final : public NonlinearSystem, private NonlinearSystem::Damping {
 public:
  PathSystem(std::shared_ptr<Residual> residual, UnknownNumber& factor, std::shared_ptr<Observable> control,
             LinearSolver& solver);

  void set_target(double target) { target_ = target; }
  /// Time of formulas in data.
  void set_time(double t) { time_ = t; }
  /// u at the present λ and t.
  EvaluationPoint point(Vec u) const { return {u, {factor_.effective(), time_, time_}}; }
  /// nullptr: zero. The vector is copied.
  void set_origin(Vec u);
  /// c(u − u₀); the effective controls are those of the present λ.
  double control_value(Vec u);

  // The unknown of Newton's method: x = (u, λ), scaled as in the last linearisation.

  VecHandle pack(Vec u, double lambda);
  double unpack(Vec x, Vec u);
  Mat matrix() override { return border_->mat(); }
  /// Number of unknowns without λ, over all ranks.
  PetscInt size() const;
  bool residual(Vec x, Vec r) override;
  bool jacobian(Vec x) override;
  bool update_pattern(Vec x) override;
  /// The way of constrained unknowns, which follow λ, included.
  double longest_step(Vec x, Vec step) override;
  bool symmetric() const override { return false; }
  /// Pseudo-time of the equations; c has no rate.
  NonlinearSystem::Damping* damping() override { return residual_->capabilities().pseudo_time ? this : nullptr; }
  void constrain_step(Vec x) override;

  // Linear systems at a point.

  /// Contents of the last row: the derivative of c at u or at `argument`, or of λ itself.
  struct Row {
    Vec argument = nullptr;  // argument of c in place of u − u₀
    bool load = false;       // true: the row is that of λ itself
  };
  /// Assembles the matrix at (u, λ).
  void linearise(Vec u, double lambda, Row row);
  void linearise(Vec u, double lambda) { linearise(u, lambda, Row()); }
  /// Empty if λ influences the equations and u (or λ) influences c beyond round-off; else an error message.
  std::string deficiency() const;
  /// (u̇, λ̇) = −[K b; cᵀ e]⁻¹ (ṙ, ċ)
  SolveReport solve_tangent(Vec r_dot, double c_dot, Vec u_dot, double& lambda_dot);
  /// [K b; cᵀ e]ᵀ (adjoint, mu) = (ū, λ̄)
  SolveReport solve_adjoint(Vec u_bar, double lambda_bar, Vec adjoint, double& mu);
  /// Sets v to zero in unconstrained rows.
  void keep_constrained(Vec v) const;
  /// ‖λ b‖ over unconstrained rows: the size of the present load.
  double load_norm() const;

 private:
  void jacobian(Vec x, double cfl) override;
  void add(Vec x, Vec dx, double cfl, Vec r) override;
  void mark_transported(Vec marks) override;
  int limit_change(Vec x, Vec trial) override;
  /// Computes K, with pseudo-time if a CFL number is given, and the border; creates the bordered matrix on first use.
  void border(const EvaluationPoint& u, Row row, std::optional<double> cfl = {});
  void assemble();
  void clear_constrained(Vec v) const;
  Vec argument(Vec u);

  std::shared_ptr<Residual> residual_;
  UnknownNumber& factor_;
  std::shared_ptr<Observable> control_;
  LinearSolver& solver_;
  double target_ = 0, time_ = 0;
  VecHandle origin_, argument_;    // origin_ empty: zero
  VecHandle u_, r_;                // work vectors of Newton's method
  VecHandle at_;                   // point of the last linearisation,
  Setting at_given_;               // and its setting
  VecHandle b_, c_, follow_;       // b and c as in the matrix; ∂u_c/∂λ on constrained rows
  VecHandle c_full_;
  double corner_ = 0;
  bool follows_ = false;           // follow_ is not zero
  double column_scale_ = 1, row_scale_ = 1;
  std::unique_ptr<BorderedMatrix> border_;
  PetscObjectId inner_ = 0;        // the matrix K from whose pattern border_ was made
};

}  // namespace invar
