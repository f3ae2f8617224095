#pragma once
#include "libadjoint/optimize/search_run.hpp"

namespace invar {

/// What a truncated Newton method keeps of its iterates.
struct TruncatedNewtonState : SearchState {
  double gain = std::numeric_limits<double>::infinity(), length = gain;  // of the last step
  double radius = gain;  // within which the quadratic model was found to hold

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.gain), a(s.length), a(s.radius);
  }
  bool consistent() const { return true; }
};

/// A line search along truncated Newton steps s within bounds (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.1):
///   B s = −g,   B symmetric, known by its products,
/// by conjugate gradients, to a residual of min(η, √(‖g‖/‖g at the start‖)) ‖g‖ (Eisenstat and Walker 1996) or to a direction p with
/// pᵀB p ≤ 0, then backtracking along the step, projected on the bounds. A step that had to be shortened limits the next ones: conjugate
/// gradients then end at the border of that trust region (Steihaug 1983), which steps that need no shortening widen. Before there is
/// one, the search goes on along p, doubling its length while that lowers J. Variables at a bound that the gradient pushes outwards are held. If no part of a Newton
/// step lowers J, the projected gradient is tried.
class TruncatedNewtonRun : private SearchRun {
 public:
  OptimizerResult solve();

 protected:
  /// loosest: η in (0, 1).
  TruncatedNewtonRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, TruncatedNewtonState& state,
                     double loosest);
  virtual ~TruncatedNewtonRun() = default;

  /// B v at the iterate; vectors hold this rank's entries. The Evaluation's value does not count, but is finite.
  virtual Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& product) = 0;
  /// The most that a step should change each shared variable; empty: anything.
  virtual std::vector<double> largest_steps() const { return {}; }

  const DesignVector& iterate() const { return result_.theta; }
  const EntryLayout& layout() const { return layout_; }

 private:
  /// A sum of conjugate directions, and a further one along which the curvature is not positive; empty: none was met.
  struct Step {
    Eigen::VectorXd newton, curvature;
  };

  Evaluation evaluate(const Eigen::VectorXd& theta);
  Evaluation agreed(Evaluation e) const;
  void differentiate();
  Evaluation find_step(Step& s);
  Eigen::VectorXd steps_to_bounds() const;
  void limit(Eigen::VectorXd& s) const;
  /// The length that a step begins with where curvature does not tell it.
  double first_length() const;
  void step();
  Evaluation lowers(const Eigen::VectorXd& step, Eigen::VectorXd& moved);
  bool backtrack(Eigen::VectorXd s);
  bool follow_curvature(const Step& s);
  void take(const Eigen::VectorXd& theta, double value);
  void judge();

  TruncatedNewtonState& state_;
  double loosest_;
  Eigen::VectorXd lower_, upper_;    // of this rank's entries, as all below
  Eigen::VectorXd gradient_, free_;  // projected; 1 for variables that no bound holds
  Eigen::VectorXd evaluated_;        // the point tried last
};

}  // namespace invar
