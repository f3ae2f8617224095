#include "libadjoint/inference/prediction_band.hpp"

#include <cmath>
#include <limits>

#include "libadjoint/inference/prediction.hpp"

namespace invar {
namespace {

PredictionBand no_band(std::size_t n) {
  const std::vector<double> nowhere(n, std::numeric_limits<double>::quiet_NaN());
  return {nowhere, nowhere, nowhere, nowhere};
}

/// Row i of dy/dθ times a unit.
std::vector<double> gradient_in(const Eigen::MatrixXd& rows, std::size_t i, double unit) {
  const Eigen::VectorXd g = unit * rows.row(static_cast<Eigen::Index>(i)).transpose();
  return {g.data(), g.data() + g.size()};
}

}  // namespace

PredictionBand prediction_band(const std::vector<double>& y, const Eigen::MatrixXd& dy, const std::vector<DesignVariable>& variables,
                               const std::vector<double>& theta, const Uncertainty& u) {
  PredictionBand band = no_band(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const PredictedInterval p = predicted_interval(y[i], gradient_in(dy, i, 1), variables, theta, u);
    if (std::isfinite(p.standard_error)) band.lower[i] = p.lower, band.upper[i] = p.upper;
  }
  return band;
}

PredictionBand prediction_band(const DataSet& set, const std::vector<double>& y, const Eigen::MatrixXd& drho,
                               const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u) {
  PredictionBand band = no_band(y.size());
  if (set.weight == 0) return band;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double unit = set.noise[i] / set.weight;  // dy/dρ
    const PredictedInterval p = predicted_interval(y[i], gradient_in(drho, i, unit), variables, theta, u);
    if (!std::isfinite(p.standard_error)) continue;
    const double deviation = (u.known_noise ? set.noise[i] : unit) * std::sqrt(u.noise_variance);
    const double half = u.quantile * std::hypot(p.standard_error, deviation);
    band.lower[i] = p.lower, band.upper[i] = p.upper;
    band.measured_lower[i] = y[i] - half, band.measured_upper[i] = y[i] + half;
  }
  return band;
}

}  // namespace invar
