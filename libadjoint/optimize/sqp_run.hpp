#pragma once
#include "libadjoint/optimize/constrained_run.hpp"
#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {

/// State of SQP methods besides their approximate Hessian.
struct SqpRunState : ConstrainedState {
  Eigen::VectorXd weights;  // [K] penalty weights μ of the constraint sides
  double reach = 1;         // fraction of the step that the next line search tries first
  int updates = 0;          // number of updates of the approximate Hessian since its last reset

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    ConstrainedState::fields(s, a);
    a(s.weights), a(s.reach), a(s.updates);
  }
};

/// Sequential quadratic programming: the step is the minimum of a quadratic programme whose matrix approximates the Hessian of the
/// Lagrangian with the scaled objective. Backtracking line search on the exact penalty merit function J + Σ μ · violation, with a
/// second-order correction against the Maratos effect (Nocedal and Wright, Numerical Optimization, ch. 18). After a trial whose
/// evaluation fails, a quarter of the step is tried; the next line search starts with four times the successful fraction. No step is
/// longer than ten ranges of a variable (see typical_ranges). A derived class defines the matrix and solves the programme.
class SqpRun : public ConstrainedRun {
 protected:
  SqpRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, SqpRunState& state);

  /// Resets the approximate Hessian to a diagonal with which an unconstrained step is `max_move` ranges long.
  virtual void begin_curvature(const Eigen::VectorXd& diagonal) = 0;
  /// Product B s of the approximate Hessian.
  virtual Eigen::VectorXd curvature_times(const Eigen::VectorXd& s) const = 0;
  /// Updates B with the change y of the gradient along s, sᵀy > 0; bs = B s.
  virtual void learn_curvature(const Eigen::VectorXd& s, const Eigen::VectorXd& y, const Eigen::VectorXd& bs) = 0;
  /// Scales a B without updates by the curvature along its first step.
  virtual void size_curvature(const Eigen::VectorXd& s, const Eigen::VectorXd& y) = 0;
  /// Minimum of `program()` with the given offsets; inconsistent constraints are relaxed as little as possible.
  virtual QuadraticSolution minimum(const Eigen::VectorXd& offsets) = 0;

  /// The quadratic programme at the iterate, except for its matrix, which belongs to the derived class. Rows and entries are this
  /// rank's.
  const QuadraticProgram& program() const { return program_; }

 private:
  void begin() final;
  Eigen::VectorXd model() final;
  void advance() final;

  void begin_anew();
  Eigen::VectorXd gradient(const ConstrainedSample& s) const;
  Eigen::VectorXd lagrangian_gradient(const ConstrainedSample& s, const Eigen::VectorXd& y) const;
  Eigen::VectorXd along(const Eigen::VectorXd& d) const;
  bool steps_down();
  bool negligible(const Eigen::VectorXd& d) const;
  double merit(const ConstrainedSample& s) const;
  bool good(const ConstrainedSample& trial, double length) const;
  bool search();
  bool correct(const ConstrainedSample& full);
  Eigen::VectorXd point(const Eigen::VectorXd& d) const;
  bool take(ConstrainedSample& trial, double length);
  void update(const Eigen::VectorXd& s, Eigen::VectorXd y);

  SqpRunState& state_;
  Eigen::Index n_, k_;  // variables, sides
  QuadraticProgram program_;
  QuadraticSolution step_;
  Eigen::VectorXd weights_;  // [K] of the merit function in this iteration
  double slope_ = 0;         // derivative of the merit function along the step
  bool searched_ = false, at_wall_ = false;  // in the present line search; a trial could not be evaluated
};

}  // namespace invar
