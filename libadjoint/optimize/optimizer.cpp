#include "libadjoint/optimize/optimizer.hpp"

#include <stdexcept>

#include "libadjoint/optimize/levenberg_marquardt.hpp"
#include "libadjoint/optimize/mma_optimizer.hpp"
#include "libadjoint/optimize/sqp_optimizer.hpp"
#include "libadjoint/optimize/tao_optimizer.hpp"

namespace invar {

std::vector<std::string> optimizer_names() {
  return {"quasi_newton", "conjugate_gradient", "levenberg_marquardt", "mma", "sqp"};
}

std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const OptimizerOptions& options) {
  using enum TaoOptimizer::Method;
  if (name == "quasi_newton") return std::make_unique<TaoOptimizer>(quasi_newton, options);
  if (name == "conjugate_gradient")
    return std::make_unique<TaoOptimizer>(conjugate_gradient, options);
  if (name == "levenberg_marquardt") return std::make_unique<LevenbergMarquardt>(options);
  if (name == "mma") return std::make_unique<MmaOptimizer>(options);
  if (name == "sqp") return std::make_unique<SqpOptimizer>(options);
  std::string known;
  for (const std::string& n : optimizer_names()) known += (known.empty() ? "'" : ", '") + n + "'";
  throw std::invalid_argument("unknown optimizer '" + std::string(name) + "'; use one of " + known);
}

}  // namespace invar
