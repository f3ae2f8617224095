#include "libadjoint/inference/model_evidence.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

double negative_log_evidence(const ModelFit& fit) {
  const double misfit = fit.known_noise ? fit.chi_squared : fit.data * std::log(fit.chi_squared / fit.data);
  return 0.5 * (misfit / std::max(1.0, fit.variance_inflation) + (fit.parameters + (fit.known_noise ? 0 : 1)) * std::log(fit.effective_data));
}

std::size_t noise_model(std::span<const ModelFit> models) {
  return static_cast<std::size_t>(std::ranges::min_element(models, {}, &ModelFit::chi_squared) - models.begin());
}

std::vector<double> negative_log_evidence(std::span<const ModelFit> models) {
  std::vector<double> all;
  for (ModelFit fit : models) {
    const ModelFit& noise = models[noise_model(models)];
    fit.variance_inflation = noise.variance_inflation;
    fit.effective_data = noise.effective_data;
    all.push_back(negative_log_evidence(fit));
  }
  return all;
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
