#pragma once
#include <cmath>
#include <optional>
#include <string>

#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Values and derivatives of a problem at one point, in arrays of this rank (see EntryLayout).
struct ConstrainedSample {
  Eigen::VectorXd theta;     // [n]
  double value = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd gradient;  // [n] dJ/dθ
  Eigen::VectorXd c;         // [m] constraints as from the functional; for competitors minus the bound z
  Eigen::MatrixXd jacobian;  // [n × m] dc/dθ, one column per constraint

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.theta), a(s.value), a(s.gradient), a(s.c), a(s.jacobian);
  }
};

/// One side of a constraint as a dimensionless inequality g ≤ 0 or equality g = 0: g = factor · (c − bound), where factor is ± 1 / scale.
struct ConstraintSide {
  Eigen::Index constraint = 0;
  double factor = 1, bound = 0;
  bool equation = false;
  bool competes = false;  // J_k ≤ z
};

/// Units of the bound variable z = slope · θ_0 of competing constraints, chosen at the start of a search.
struct BoundUnits {
  double slope = 1;  // gradient norm of the largest competitor
  double size = 1;   // scale of the competitors: their magnitude, or the change of the largest over the ranges of the variables if that is more

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.slope), a(s.size);
  }
};

/// A functional with its bounds and constraints in the form that constrained optimisers use. Ranks agree on failures and values. All calls
/// are collective.
/// With competing constraints J is the largest of them, J_k. The problem then gets one more variable, in front, and is smooth: minimise z
/// subject to J_k ≤ z for all k (bound formulation, Olhoff 1989). The unit of z is such that the relative gradient of the Lagrangian
/// equals that of a problem without competitors: |Σ λ_k ∇J_k + …| / |∇J|.
class ConstrainedProblem {
 public:
  /// Throws std::invalid_argument if the start is outside the bounds, or a constraint has no usable scale or contradictory limits.
  ConstrainedProblem(ReducedFunctional& functional, const DesignVector& start);

  const EntryLayout& layout() const { return layout_; }
  /// Converts a point of the functional to one of this problem (with z = 0), and back.
  Eigen::VectorXd lifted(const DesignVector& theta) const;
  DesignVector design(const Eigen::VectorXd& theta) const;
  /// Chooses the units of the bound from the gradients of a sample, and converts the sample to them with the smallest admissible bound;
  /// `set_units` sets units chosen earlier. No effect without competitors.
  BoundUnits choose_units(ConstrainedSample& sample);
  void set_units(const BoundUnits& units);
  /// Sets the bound to the largest competitor, its smallest admissible value.
  void tighten(ConstrainedSample& sample) const;
  /// Makes the range of the bound variable at least the scale of the competitors.
  void widen_bound(Eigen::VectorXd& ranges) const {
    if (lifted_) ranges[0] = std::max(ranges[0], units_.size / units_.slope);
  }
  /// J, and the constraint values as from the functional.
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

  /// Evaluates J and c at sample.theta. Returns the reason of a failure.
  std::optional<std::string> evaluate(ConstrainedSample& sample);
  /// Evaluates J, c and all their gradients, with one reverse sweep per process. Costs less right after `evaluate` at the same point.
  /// Returns the reason of a failure.
  std::optional<std::string> differentiate(ConstrainedSample& sample);

  /// g of every side, [sides].
  Eigen::VectorXd side_values(const Eigen::VectorXd& c) const;
  /// Violation of every side, [sides] ≥ 0.
  Eigen::VectorXd violations(const Eigen::VectorXd& side_values) const;
  /// Largest violation of the functional's own constraints.
  double worst_violation(const Eigen::VectorXd& c) const;
  /// Σ_k y_k ∇g_k, [n].
  Eigen::VectorXd pull_back(const ConstrainedSample& sample, const Eigen::VectorXd& y) const;
  /// v with zeros in the entries that point out of the box at a bound.
  Eigen::VectorXd projected(const Eigen::VectorXd& theta, Eigen::VectorXd v) const;

 private:
  double bound(const ConstrainedSample& sample) const { return units_.slope * sample.theta[0]; }
  std::optional<std::string> take_values(const Evaluation& e, double value, const std::vector<double>& c, ConstrainedSample& sample) const;
  std::optional<std::string> agreed(const Evaluation& e, bool finite) const;
  void from_first_rank(double* numbers, Eigen::Index count) const;

  ReducedFunctional& functional_;
  std::vector<bool> competes_;  // [m]
  bool lifted_ = false;         // whether constraints compete
  BoundUnits units_;
  EntryLayout layout_;
  Eigen::VectorXd lower_, upper_;
  std::vector<ConstraintSide> sides_;
  Eigen::Index m_ = 0;
};

/// Typical range of each entry, [n]: the distance of its bounds if both are finite, else the size of θ: the larger of its absolute value
/// and the root mean square of its field, or 1 where θ vanishes.
Eigen::VectorXd typical_ranges(const ConstrainedProblem& problem, const Eigen::VectorXd& theta);

}  // namespace invar
