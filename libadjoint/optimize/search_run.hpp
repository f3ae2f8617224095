#pragma once
#include <Eigen/Dense>

#include "libadjoint/optimize/bounds.hpp"
#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// State of an unconstrained method at an accepted iterate.
struct SearchState {
  int iteration = 0, evaluations = 0, rejected = 0;
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: no iterate yet
  double gradient_start = std::numeric_limits<double>::quiet_NaN();  // norm of the projected gradient
                                                                     // at the start
  Eigen::VectorXd theta;        // this rank's entries of the iterate
  std::string last_rejection;

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.iteration), a(s.evaluations), a(s.rejected), a(s.value), a(s.gradient_start), a(s.theta);
    a(s.last_rejection);
  }
};

/// Bookkeeping of unconstrained methods: counts, reports of accepted iterates, and stopping tests that do not depend on
/// the method.
class SearchRun {
 protected:
  /// Starts from the state's iterate if it has one, else from `start`. Throws std::invalid_argument if this is outside
  /// the bounds or has another layout.
  SearchRun(const OptimizerOptions& options, ReducedFunctional& functional,
            const DesignVector& start, SearchState& state);

  bool has_iterate() const { return !std::isnan(state_.value); }
  /// Counts a trial whose evaluation failed.
  void reject(const std::string& why);
  /// Makes θ the iterate. Returns ‖Δθ‖.
  double accept(const DesignVector& theta, double value);
  /// Records the norm of the projected gradient at the iterate.
  void measure(double gradient);
  void report(double step);
  /// Ends the run if the callback or the iteration limit says so.
  void check_limits();
  void finish(bool converged, std::string reason);
  bool finished() const { return !result_.reason.empty(); }
  /// Whether `here` is true on every rank.
  bool all(bool here) const { return layout_.all(here); }
  OptimizerResult outcome();

  const OptimizerOptions& options_;
  ReducedFunctional& functional_;
  Bounds bounds_;
  EntryLayout layout_;
  OptimizerResult result_;        // `theta` is the iterate
  int rejected_since_accept_ = 0;

 private:
  SearchState& state_;
  double start_time_ = MPI_Wtime();
};

}  // namespace invar
