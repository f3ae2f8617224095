#include "libadjoint/inference/fitted_parameters.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

std::vector<FittedParameter> fitted_parameters(const CaseFunctional& functional, const DesignVector& theta) {
  const DesignVector lower = functional.lower(), upper = functional.upper();
  const std::vector<DesignVariable> variables = functional.variables();
  std::vector<FittedParameter> parameters;
  for (std::size_t k = 0; k < theta.shared.size(); ++k) {
    const double x = theta.shared[k], near = 1e-9 * std::max(1.0, std::abs(x));
    parameters.push_back({variables[k].name, variables[k].transform, x, x - lower.shared[k] < near || upper.shared[k] - x < near});
  }
  return parameters;
}

UncertaintyOptions uncertainty_options(const CaseFunctional& functional, bool known_noise, const std::set<std::array<int, 2>>& mean_squares) {
  UncertaintyOptions options;
  options.known_noise = known_noise;
  options.weights.resize(functional.residual_count());
  options.counts.resize(functional.residual_count());
  Eigen::Index row = 0;
  for (std::size_t c = 0; c < functional.cases().size(); ++c) {
    const std::vector<DataSet>& data = functional.cases()[c]->data();
    for (std::size_t s = 0; s < data.size(); ++s) {
      const auto n = static_cast<Eigen::Index>(data[s].target.size());
      const bool is_one = mean_squares.contains({static_cast<int>(c), static_cast<int>(s)});
      options.weights.segment(row, n).setConstant(data[s].weight);
      options.counts.segment(row, n).setConstant(is_one ? 1.0 / static_cast<double>(n) : 1.0);
      row += n;
    }
  }
  return options;
}

}  // namespace invar
