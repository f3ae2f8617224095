#pragma once
#include <vector>

#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// Growth of the adjoint over a reverse sweep above which the gradient does not predict the objective of neighbouring
/// designs: trajectories diverge as fast as the adjoint grows (a chaotic process).
inline constexpr double meaningless_growth = 1e4;

/// Residuals at which Newton's method ended, for each step of the last march.
class StepResiduals {
 public:
  /// Records every step of `process` from now on, besides what its `on_step` does already. Must live as long
  /// as the process.
  void listen(TransientCase& process);

  /// ‖r‖ by which Newton's method ended, against the largest with which it began so far; per time but the first.
  const std::vector<double>& relative() const { return relative_; }
  double largest() const;

 private:
  double force_ = 0;  // largest of the first residuals so far
  std::vector<double> relative_;
};

/// The largest of what the adjoint's solves left between one of `times` and the next, at that; at the first that of
/// the acceleration which a scheme starts with. [times]
std::vector<double> adjoint_residuals_by_time(const MarchReport& report, const std::vector<double>& times);
/// How often a step was divided between one of `times` and the next. [times]
std::vector<double> divisions_by_time(const std::vector<MarchReport::Trouble>& troubles, const std::vector<double>& times);
/// Time that a sweep goes back [s]; horizon: of its last steps, 0: of all.
double swept_time(const std::vector<double>& step_lengths, int horizon);

}  // namespace invar
