#pragma once
#include "libadjoint/optimize/search_run.hpp"

namespace invar {

/// State of a truncated Newton method between iterations.
struct TruncatedNewtonState : SearchState {
  // Decrease of J by the last step, infinite if rejected trials have shortened it: it tells nothing of a minimum then; and its length.
  double gain = std::numeric_limits<double>::infinity(), length = gain;
  double radius = gain;  // trust-region radius of the quadratic model

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.gain), a(s.length), a(s.radius);
  }
  bool consistent() const { return true; }
};

/// Line search along truncated Newton steps s within bounds (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.1):
///   B s = −g,   B symmetric, known by its products.
/// Conjugate gradients solve this to a residual of min(η, √(‖g‖/‖g at the start‖)) ‖g‖ (Eisenstat and Walker 1996), or end at a direction p
/// with pᵀB p ≤ 0. Backtracking along the step, projected onto the bounds, follows. A step that had to be shortened defines a trust region
/// for the next ones: conjugate gradients then end at its boundary (Steihaug 1983). Full steps to the boundary enlarge it. Without a trust
/// region, the search continues along a direction p of negative curvature and doubles its length while J decreases. Variables at a bound
/// whose gradient points outwards are fixed. If no fraction of a Newton step lowers J, the projected gradient is tried.
class TruncatedNewtonRun : private SearchRun {
 public:
  OptimizerResult solve();

 protected:
  /// loosest: η in (0, 1).
  TruncatedNewtonRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, TruncatedNewtonState& state,
                     double loosest);
  virtual ~TruncatedNewtonRun() = default;

  /// Product B v at the iterate; vectors hold this rank's entries. The Evaluation's value must be finite and is not used.
  virtual Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& product) = 0;
  /// Largest change of each shared variable in one step; empty: no limit.
  virtual std::vector<double> largest_steps() const { return {}; }

  const DesignVector& iterate() const { return result_.theta; }
  const EntryLayout& layout() const { return layout_; }

 private:
  /// A sum of conjugate directions, and a direction of nonpositive curvature; empty: none was met.
  struct Step {
    Eigen::VectorXd newton, curvature;
  };

  Evaluation evaluate(const Eigen::VectorXd& theta);
  Evaluation agreed(Evaluation e) const;
  void differentiate();
  Evaluation find_step(Step& s);
  Eigen::VectorXd steps_to_bounds() const;
  void limit(Eigen::VectorXd& s) const;
  /// Length of a step along a direction of nonpositive curvature.
  double first_length() const;
  void step();
  Evaluation lowers(const Eigen::VectorXd& step, Eigen::VectorXd& moved);
  bool backtrack(Eigen::VectorXd s);
  bool follow_curvature(const Step& s);
  void take(const Eigen::VectorXd& theta, double value);
  void judge();

  TruncatedNewtonState& state_;
  double loosest_;
  Eigen::VectorXd lower_, upper_;    // this rank's entries, as all vectors below
  Eigen::VectorXd gradient_, free_;  // projected gradient; 1 for variables that are not at a bound
  Eigen::VectorXd evaluated_;        // the last point tried
};

}  // namespace invar
