#include "libadjoint/inference/model_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

ModelComparison compare_models(std::span<const FittedModel> models) {
  ModelComparison out;
  if (models.size() < 2) return {.reason = "fewer than two finished runs have fitted a model to data"};
  for (const FittedModel& m : models)
    if (m.data != models[0].data || std::isnan(m.misfit()) != std::isnan(models[0].misfit()))
      return {.reason = "the runs have fitted different data: the number of values, or whether their noise is known, differs"};
  if (std::ranges::any_of(models, &FittedModel::of_field)) {
    for (const FittedModel& m : models) {
      if (m.effective_data < m.data)
        return {.reason = "the errors of the data seem correlated in " + m.name +
                          ", and the evidence of fields counts every value as independent. Compare how well the models predict data that they were not fitted to"};
      out.negative_log_evidence.push_back(m.negative_log_evidence);
    }
  } else {
    std::vector<ModelFit> fits;
    for (const FittedModel& m : models) fits.push_back(m.numbers);
    out.negative_log_evidence = negative_log_evidence(fits);
    const std::size_t closest = noise_model(fits);
    if (fits[closest].effective_data < fits[closest].data) out.noise_of = closest;
  }
  out.probability = model_probabilities(out.negative_log_evidence);
  out.order.resize(models.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::ranges::stable_sort(out.order, {}, [&](std::size_t i) { return out.negative_log_evidence[i]; });
  return out;
}

}  // namespace invar
