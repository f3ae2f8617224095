#include "libadjoint/time/march_trust.hpp"

#include <algorithm>
#include <numeric>

namespace invar {

void StepResiduals::listen(TransientCase& process) {
  process.on_step = [this, before = process.on_step](int step, const NewtonReport& newton) {
    if (step == 1) {
      relative_.clear();
      force_ = 0;
    }
    if (!newton.residuals.empty()) {
      force_ = std::max(force_, newton.residuals.front());
      relative_.push_back(force_ > 0 ? newton.residuals.back() / force_ : 0.0);
    }
    if (before) before(step, newton);
  };
}

double StepResiduals::largest() const {
  return relative_.empty() ? 0.0 : *std::max_element(relative_.begin(), relative_.end());
}

std::vector<double> adjoint_residuals_by_time(const MarchReport& report, const std::vector<double>& times) {
  std::vector<double> largest(times.size(), 0.0);
  for (const auto& [end, residual] : report.adjoint_residuals) {
    const auto at = std::lower_bound(times.begin(), times.end(), end - 1e-9 * (times.back() - times.front()));
    if (at == times.end()) continue;
    double& here = largest[at - times.begin()];
    here = std::max(here, residual);
  }
  return largest;
}

std::vector<double> divisions_by_time(const std::vector<MarchReport::Trouble>& troubles, const std::vector<double>& times) {
  std::vector<double> counts(times.size(), 0.0);
  for (const MarchReport::Trouble& t : troubles) {
    const auto at = std::upper_bound(times.begin(), times.end(), t.begin + 0.5 * t.length);
    if (t.divided && at != times.end()) ++counts[at - times.begin()];
  }
  return counts;
}

double swept_time(const std::vector<double>& step_lengths, int horizon) {
  const int taken = static_cast<int>(step_lengths.size()), wanted = horizon > 0 ? std::min(horizon, taken) : taken;
  return std::accumulate(step_lengths.end() - wanted, step_lengths.end(), 0.0);
}

}  // namespace invar
