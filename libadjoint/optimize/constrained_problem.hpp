#pragma once
#include <cmath>
#include <optional>
#include <string>

#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// What is known of a problem at one point, in arrays of this rank (see EntryLayout).
struct ConstrainedSample {
  Eigen::VectorXd theta;     // [n]
  double value = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd gradient;  // [n] dJ/dθ
  Eigen::VectorXd c;         // [m] constraints as the functional gives them, of competitors less the bound z
  Eigen::MatrixXd jacobian;  // [n × m] dc/dθ, one column per constraint

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.theta), a(s.value), a(s.gradient), a(s.c), a(s.jacobian);
  }
};

/// One side of a constraint as an inequality g ≤ 0 or an equation g = 0, without unit:
/// g = factor · (c − bound), the factor being ± 1 / scale.
struct ConstraintSide {
  Eigen::Index constraint = 0;
  double factor = 1, bound = 0;
  bool equation = false;
  bool competes = false;  // J_k ≤ z
};

/// Units of the bound z = slope · θ_0 of competitors, found at the start of a search.
struct BoundUnits {
  double slope = 1;  // norm of the gradient of the largest
  double size = 1;   // of the competitors, or how much the largest changes across the ranges of the variables if that is more

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.slope), a(s.size);
  }
};

/// A functional with its bounds and constraints as a constrained optimiser sees it. Failures and
/// values are agreed upon by the ranks. All calls are collective.
///
/// Where constraints compete, J is the largest of them, J_k. The problem is then smooth with one variable more, in front:
/// minimise z subject to J_k ≤ z for all k (the bound formulation, Olhoff 1989). z is measured in units such that a
/// gradient of the Lagrangian relative to that at the start is what it would be for J: |Σ λ_k ∇J_k + …| / |∇J|.
class ConstrainedProblem {
 public:
  /// Throws std::invalid_argument when the start is not within the bounds, or a constraint has no
  /// usable scale or contradicts itself.
  ConstrainedProblem(ReducedFunctional& functional, const DesignVector& start);

  const EntryLayout& layout() const { return layout_; }
  /// A point of the functional as one of the problem, and back. The bound is 0.
  Eigen::VectorXd lifted(const DesignVector& theta) const;
  DesignVector design(const Eigen::VectorXd& theta) const;
  /// Chooses the units of the bound by the gradients in a sample that was made in the units of before, and states the
  /// sample in them, with its bound tightened; or takes them as they were chosen. Nothing where nothing competes.
  BoundUnits choose_units(ConstrainedSample& sample);
  void set_units(const BoundUnits& units);
  /// Lets the bound be the largest of the competitors, as it may be at any point.
  void tighten(ConstrainedSample& sample) const;
  /// Lets the range of the bound be at least the size of what competes.
  void widen_bound(Eigen::VectorXd& ranges) const {
    if (lifted_) ranges[0] = std::max(ranges[0], units_.size / units_.slope);
  }
  /// J, and constraints as the functional has them.
  double objective(const ConstrainedSample& sample) const;
  std::vector<double> constraint_values(const ConstrainedSample& sample) const;
  bool competes(Eigen::Index constraint) const { return competes_[static_cast<std::size_t>(constraint)]; }
  const Eigen::VectorXd& lower() const { return lower_; }  // [n]
  const Eigen::VectorXd& upper() const { return upper_; }
  bool fixed(Eigen::Index j) const { return lower_[j] == upper_[j]; }
  bool boxed(Eigen::Index j) const { return std::isfinite(upper_[j] - lower_[j]); }
  const std::vector<ConstraintSide>& sides() const { return sides_; }
  Eigen::Index side_count() const { return static_cast<Eigen::Index>(sides_.size()); }
  Eigen::Index constraint_count() const { return m_; }

  /// J and c at sample.theta. Not empty: why that failed.
  std::optional<std::string> evaluate(ConstrainedSample& sample);
  /// J, c and all their gradients, in one sweep of every process, at a point that `evaluate` has just been asked for or
  /// at another. Not empty: why that failed.
  std::optional<std::string> differentiate(ConstrainedSample& sample);

  /// g of every side, [sides].
  Eigen::VectorXd side_values(const Eigen::VectorXd& c) const;
  /// By how much each side is violated, [sides] ≥ 0.
  Eigen::VectorXd violations(const Eigen::VectorXd& side_values) const;
  /// Of the functional's own constraints.
  double worst_violation(const Eigen::VectorXd& c) const;
  /// Σ_k y_k ∇g_k, [n].
  Eigen::VectorXd pull_back(const ConstrainedSample& sample, const Eigen::VectorXd& y) const;
  /// v without the parts that point out of the box where θ is at its bound.
  Eigen::VectorXd projected(const Eigen::VectorXd& theta, Eigen::VectorXd v) const;

 private:
  double bound(const ConstrainedSample& sample) const { return units_.slope * sample.theta[0]; }
  std::optional<std::string> take_values(const Evaluation& e, double value, const std::vector<double>& c, ConstrainedSample& sample) const;
  std::optional<std::string> agreed(const Evaluation& e, bool finite) const;
  void from_first_rank(double* numbers, Eigen::Index count) const;

  ReducedFunctional& functional_;
  std::vector<bool> competes_;  // [m]
  bool lifted_ = false;         // whether any does
  BoundUnits units_;
  EntryLayout layout_;
  Eigen::VectorXd lower_, upper_;
  std::vector<ConstraintSide> sides_;
  Eigen::Index m_ = 0;
};

/// How far each entry may be expected to move, [n]: the distance of its bounds where both are
/// finite, else the size of θ itself: its absolute value or the root mean square over its field,
/// whichever is larger, and 1 where θ vanishes.
Eigen::VectorXd typical_ranges(const ConstrainedProblem& problem, const Eigen::VectorXd& theta);

}  // namespace invar
