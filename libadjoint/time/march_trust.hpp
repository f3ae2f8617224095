#pragma once
#include <cmath>
#include <vector>

#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// Growth of the adjoint over a reverse sweep above which the gradient does not predict the objective at neighbouring
/// designs: trajectories diverge as fast as the adjoint grows (chaos).
inline constexpr double meaningless_growth = 1e4;

/// Whether the last sweep was long enough for the rate `MarchReport::adjoint_growth` by least squares.
inline bool has_growth_rate(const MarchReport& report) { return report.adjoint_solves > 2; }
/// Whether an adjoint that grows like exp(rate · t) does so by more than `meaningless_growth` over the time swept. rate [1/s], swept [s].
inline bool grows_beyond_meaning(double rate, double swept) { return rate * swept > std::log(meaningless_growth); }

/// Final Newton residuals of each step of the last march.
class StepResiduals {
 public:
  /// Records every step of `process` from now on; its previous `on_step` callback is still called. Must outlive the
  /// process.
  void listen(TransientCase& process);

  /// Final ‖r‖ relative to the largest initial ‖r‖ so far; one entry per time except the first.
  const std::vector<double>& relative() const { return relative_; }
  double largest() const;

 private:
  double force_ = 0;  // largest initial residual so far
  std::vector<double> relative_;
};

/// Largest residual of the adjoint solves between each of `times` and the previous one; at the first time that of the
/// initial acceleration. [times]
std::vector<double> adjoint_residuals_by_time(const MarchReport& report, const std::vector<double>& times);
/// Number of divided steps between each of `times` and the previous one. [times]
std::vector<double> divisions_by_time(const std::vector<MarchReport::Trouble>& troubles, const std::vector<double>& times);
/// Time interval that a sweep covers [s]; horizon: number of last steps, 0: all.
double swept_time(const std::vector<double>& step_lengths, int horizon);

}  // namespace invar
