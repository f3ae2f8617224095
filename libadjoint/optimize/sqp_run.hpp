#pragma once
#include "libadjoint/optimize/constrained_run.hpp"
#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {

/// What methods of sequential quadratic programming keep besides their approximation of second derivatives.
struct SqpRunState : ConstrainedState {
  Eigen::VectorXd weights;  // [K] μ of the constraint sides
  double reach = 1;         // part of the step that the next search tries first
  int updates = 0;          // of the approximation since it was last begun anew

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    ConstrainedState::fields(s, a);
    a(s.weights), a(s.reach), a(s.updates);
  }
};

/// Sequential quadratic programming: the step is the minimum of a quadratic programme, whose matrix approximates the Hessian of the
/// Lagrangian of the scaled objective; backtracking on the exact penalty J + Σ μ · violation with a second-order correction
/// against the Maratos effect (Nocedal and Wright, Numerical Optimization, ch. 18). A trial whose evaluation fails is rejected and a
/// quarter of the step is tried; the next search begins with four times what succeeded. No step is longer than ten ranges of a
/// variable (see typical_ranges). A method says what the matrix is and how the programme is solved.
class SqpRun : public ConstrainedRun {
 protected:
  SqpRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, SqpRunState& state);

  /// Begins the approximation anew: a diagonal one with which an unconstrained step is `max_move` ranges long.
  virtual void begin_curvature(const Eigen::VectorXd& diagonal) = 0;
  /// B s.
  virtual Eigen::VectorXd curvature_times(const Eigen::VectorXd& s) const = 0;
  /// Learns that the gradient changes by y along s, sᵀy > 0; bs = B s.
  virtual void learn_curvature(const Eigen::VectorXd& s, const Eigen::VectorXd& y, const Eigen::VectorXd& bs) = 0;
  /// Brings an approximation that has learnt nothing yet to the size that its first step shows.
  virtual void size_curvature(const Eigen::VectorXd& s, const Eigen::VectorXd& y) = 0;
  /// The minimum of `program()` with these offsets in place of its own, as near to the constraints as they allow.
  virtual QuadraticSolution minimum(const Eigen::VectorXd& offsets) = 0;

  /// At the iterate; its matrix is the method's. Rows and entries are this rank's.
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
  Eigen::VectorXd weights_;  // [K] of the merit in this iteration
  double slope_ = 0;         // of the merit along the step
  bool searched_ = false, at_wall_ = false;  // along this step; a trial there could not be evaluated
};

}  // namespace invar
