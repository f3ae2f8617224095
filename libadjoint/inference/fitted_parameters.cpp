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

}  // namespace invar
