#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace invar {

/// What decides on the weight w of a regularisation R in J(θ) = ½ χ²(θ) + w R(θ).
enum class WeightRule {
  given,        // the weight with which the search begins
  evidence,     // it maximises the probability of the data (Laplace's approximation)
  discrepancy,  // χ² equals the number of data (Morozov)
};

/// What the minimum of J for one weight is like. NaN: not known.
struct WeightTrial {
  double weight = 1;
  double chi_squared = std::numeric_limits<double>::quiet_NaN();
  double penalty = chi_squared;                // R at the minimum, without the weight
  double resolved_directions = chi_squared;    // γ = Σ λ/(1 + λ)
  double negative_log_evidence = chi_squared;  // −ln p(data | w) up to a constant
  bool converged = true;                       // the search for the minimum
  std::string rejected = {};                   // why there is no minimum; empty: there is one

  bool ok() const { return rejected.empty(); }
  bool has_evidence() const { return resolved_directions == resolved_directions; }
};

struct WeightSearchOptions {
  WeightRule rule = WeightRule::evidence;
  double start = 1;                  // the first weight
  double lower = 1e-6, upper = 1e6;  // smallest and largest weight to try
  double data = 0;                   // effective number of data, which χ² shall equal
  double tolerance = 0.02;           // on ln w
  double band = 0.05;                // discrepancy: also accepted is |χ² − data| ≤ band · √(2 data)
  int most = 20;                     // trials of the rule
  int curve = 0;                     // further weights for the L-curve, at equal ratios from w/100 to 100 w
};

/// Search for the weight of a regularisation, a function of ln w. It solves nothing: `next` names a weight, the caller minimises J for it
/// and reports what came out by `add`. The search is determined by the trials, so that an interrupted one goes on by adding the earlier
/// trials again.
///
/// Evidence: for a normal prior of n coordinates with precision w, e.g. R = ½‖ξ‖², and residuals that are linear in ξ,
///   −ln p(data | w) = J(ξ*) + ½ ln det(JᵀJ + w) − ½ n ln w = J(ξ*) + ½ Σ ln(1 + λ_i),
/// λ_i the eigenvalues of JᵀJ/w, whose derivative by ln w is w R − ½ γ (MacKay, Neural Computation 4, 1992, 415–447). The zero of
/// ln(2 w R/γ) is found: from one trial by MacKay's step w ← γ/2R, then by secants, within a bracket once there is one. For residuals that
/// are not linear γ depends on w through ξ*, too, which the derivative does not contain: if another trial has a larger evidence, parabolas
/// through the evidence itself follow. Discrepancy: the zero of ln(χ²/data), which grows with w. A rejected weight narrows the range.
class WeightSearch {
 public:
  explicit WeightSearch(WeightSearchOptions options);

  /// The weight to try; nothing: the search has ended.
  std::optional<double> next() const { return next_; }
  /// What came out for `next()`.
  void add(WeightTrial trial);

  const WeightSearchOptions& options() const { return options_; }
  const std::vector<WeightTrial>& trials() const { return trials_; }
  /// Position of the trial whose weight is the result; −1: every weight was rejected.
  int chosen() const { return chosen_; }
  /// Whether the rule is met at the chosen weight.
  bool settled() const { return settled_; }
  /// Why the weight was chosen, or why the rule cannot be met and what would help: a sentence without its end.
  const std::string& reason() const { return reason_; }
  /// The trial with the nearest weight that has a minimum, from which the next one should start; −1: there is none.
  int nearest(double weight) const;

  /// Weights that the rules would choose by all trials so far, interpolated between them; NaN: not known. The corner of the L-curve
  /// (ln R over ln χ²) is where its curvature is largest (Hansen and O'Leary, SIAM J. Sci. Comput. 14, 1993).
  double by_evidence() const;
  double by_discrepancy() const;
  double corner() const;

 private:
  double height(const WeightTrial& trial, WeightRule rule) const;
  std::vector<const WeightTrial*> sorted() const;
  double crossing(WeightRule rule) const;
  void seek();
  void settle(bool settled, std::string reason);
  bool improve();
  void retreat();
  void step_to(double u);
  void draw_curve();
  std::string unmet(bool upwards) const;

  WeightSearchOptions options_;
  std::vector<WeightTrial> trials_;
  std::optional<double> next_;
  double lowest_, highest_;           // ln w between which weights may still be tried
  bool decided_ = false, settled_ = false, improving_ = false;
  int chosen_ = -1, narrowings_ = 0, rejected_ = 0, improvements_ = 0;
  double width_ = std::numeric_limits<double>::infinity();  // of the last bracket
  std::vector<double> curve_;         // weights still to try
  std::string reason_;
};

}  // namespace invar
