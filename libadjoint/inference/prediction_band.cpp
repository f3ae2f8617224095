#include "libadjoint/inference/prediction_band.hpp"

#include <cmath>
#include <limits>

#include "libadjoint/inference/prediction.hpp"

namespace invar {

PredictionBand prediction_band(const DataSet& set, const std::vector<double>& y, const Eigen::MatrixXd& drho,
                               const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u) {
  const std::vector<double> nowhere(y.size(), std::numeric_limits<double>::quiet_NaN());
  PredictionBand band{nowhere, nowhere, nowhere, nowhere};
  if (set.weight == 0) return band;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double unit = set.noise[i] / set.weight;  // dy/dρ
    const Eigen::VectorXd g = unit * drho.row(static_cast<Eigen::Index>(i)).transpose();
    const PredictedInterval p = predicted_interval(y[i], {g.data(), g.data() + g.size()}, variables, theta, u);
    if (!std::isfinite(p.standard_error)) continue;
    const double half = u.quantile * std::hypot(p.standard_error, unit * std::sqrt(u.noise_variance));
    band.lower[i] = p.lower, band.upper[i] = p.upper;
    band.measured_lower[i] = y[i] - half, band.measured_upper[i] = y[i] + half;
  }
  return band;
}

}  // namespace invar
