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

/// Equations with a number λ among the unknowns, as those of a point of an equilibrium path with its load factor, or of
/// a trimmed state:
///   r(u; D(d, λ)) = 0,   c(u − u₀; D(d, λ)) = τ.
/// c is an observable of one number, u₀ an origin (zero where there is none). With b = ∂r/∂D ∂D/∂λ and e likewise of c
/// the matrix is [K b; cᵀ e]. It is scaled: rows and columns of the border are made as large as K's entries, so
/// that a norm of the residual means something. All calls are collective.
///
/// Constrained rows are taken out of the matrix as in `Linearization`: the unknowns there follow from λ.
class PathSystem final : public NonlinearSystem, private NonlinearSystem::Damping {
 public:
  PathSystem(std::shared_ptr<Residual> residual, UnknownNumber& factor, std::shared_ptr<Observable> control,
             LinearSolver& solver);

  void set_target(double target) { target_ = target; }
  /// t of formulas in data.
  void set_time(double t) { time_ = t; }
  /// u at the present λ and t.
  EvaluationPoint point(Vec u) const { return {u, {factor_.effective(), time_, time_}}; }
  /// nullptr: zero. Copied.
  void set_origin(Vec u);
  /// c(u − u₀), and whether the equations admit u; λ is the factor's.
  double control_value(Vec u);

  // As Newton's method sees it: x = (u, λ), scaled as the last linearisation was.

  VecHandle pack(Vec u, double lambda);
  double unpack(Vec x, Vec u);
  Mat matrix() override { return border_->mat(); }
  /// Unknowns but λ, over all ranks.
  PetscInt size() const;
  bool residual(Vec x, Vec r) override;
  bool jacobian(Vec x) override;
  bool symmetric() const override { return false; }
  /// That of the equations; c has no rate.
  NonlinearSystem::Damping* damping() override { return residual_->capabilities().pseudo_time ? this : nullptr; }
  void constrain_step(Vec x) override;

  // Linear systems at a point.

  /// What stands in the last row: the derivative of c at u, or at another argument in its place, or of λ alone.
  struct Row {
    Vec argument = nullptr;  // of c, in place of u − u₀
    bool load = false;       // λ itself
  };
  /// Assembles the matrix at (u, λ).
  void linearise(Vec u, double lambda, Row row);
  void linearise(Vec u, double lambda) { linearise(u, lambda, Row()); }
  /// Whether λ enters the equations and u (or λ) the control, to round-off; a sentence where not.
  std::string deficiency() const;
  /// (u̇, λ̇) = −[K b; cᵀ e]⁻¹ (ṙ, ċ)
  SolveReport solve_tangent(Vec r_dot, double c_dot, Vec u_dot, double& lambda_dot);
  /// [K b; cᵀ e]ᵀ (adjoint, mu) = (ū, λ̄)
  SolveReport solve_adjoint(Vec u_bar, double lambda_bar, Vec adjoint, double& mu);
  /// Sets v to zero where nothing is prescribed.
  void keep_constrained(Vec v) const;
  /// ‖λ b‖ over unconstrained rows: the loads at hand.
  double load_norm() const;

 private:
  void jacobian(Vec x, double cfl) override;
  void add(Vec x, Vec dx, double cfl, Vec r) override;
  void mark_carried(Vec marks) override;
  void limit_change(Vec x, Vec trial) override;
  /// Computes K, with pseudo-time where there is a CFL number, and what stands beside it; creates the bordered matrix
  /// where there is none yet.
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
  VecHandle u_, r_;                // of Newton's method
  VecHandle at_;                   // linearised at,
  Setting at_given_;               // and in this setting
  VecHandle b_, c_, follow_;       // b and c as the matrix sees them; ∂u_c/∂λ on constrained rows
  VecHandle c_full_;
  double corner_ = 0;
  bool follows_ = false;           // follow_ is not zero
  double column_scale_ = 1, row_scale_ = 1;
  std::unique_ptr<BorderedMatrix> border_;
};

}  // namespace invar
