#include "libadjoint/inference/model_evidence.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

double negative_log_evidence(double chi_squared, int data, int parameters, bool known_noise) {
  const double misfit = known_noise ? chi_squared : data * std::log(chi_squared / data);
  return 0.5 * (misfit + (parameters + (known_noise ? 0 : 1)) * std::log(data));
}

std::vector<double> model_probabilities(const std::vector<double>& negative_log_evidence) {
  std::vector<double> weights;
  if (negative_log_evidence.empty()) return weights;
  const double least = *std::ranges::min_element(negative_log_evidence);
  double sum = 0;
  for (const double e : negative_log_evidence) sum += weights.emplace_back(std::exp(least - e));
  for (double& w : weights) w /= sum;
  return weights;
}

}  // namespace invar
