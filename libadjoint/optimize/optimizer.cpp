#include "libadjoint/optimize/optimizer.hpp"

#include <algorithm>
#include <stdexcept>

#include "libadjoint/optimize/gauss_newton.hpp"
#include "libadjoint/optimize/interior_point.hpp"
#include "libadjoint/optimize/levenberg_marquardt.hpp"
#include "libadjoint/optimize/mma_optimizer.hpp"
#include "libadjoint/optimize/newton_cg.hpp"
#include "libadjoint/optimize/optimizer_method.hpp"
#include "libadjoint/optimize/sqp_optimizer.hpp"
#include "libadjoint/optimize/tao_optimizer.hpp"

namespace invar {
namespace {

template <class Method>
std::unique_ptr<Optimizer> make(const OptimizerOptions& options) {
  return std::make_unique<Method>(options);
}
template <TaoOptimizer::Method method>
std::unique_ptr<Optimizer> make_tao(const OptimizerOptions& options) {
  return std::make_unique<TaoOptimizer>(method, options);
}

constexpr OptimizerMethod table[] = {
    {.name = "quasi_newton",
     .doc = "limited-memory quasi-Newton within bounds (TAO's BQNLS); any number of variables, no constraints",
     .make = &make_tao<TaoOptimizer::Method::quasi_newton>},
    {.name = "conjugate_gradient",
     .doc = "nonlinear conjugate gradients within bounds (TAO's BNCG); less memory, more evaluations; no constraints",
     .make = &make_tao<TaoOptimizer::Method::conjugate_gradient>},
    {.name = "newton_cg",
     .doc = "Newton's method with exact Hessian products by conjugate gradients, within bounds; any number of variables, few iterations; no "
            "constraints, no processes in time",
     .second_derivatives = true,
     .make = &make<NewtonCg>},
    {.name = "levenberg_marquardt",
     .doc = "Gauss-Newton with a trust region (Ceres), for sums of squares and few numbers; no constraints",
     .objective = OptimizerMethod::Objective::sum_of_squares,
     .make = &make<LevenbergMarquardt>},
    {.name = "gauss_newton",
     .doc = "Gauss-Newton by conjugate gradients, for sums of squares and any number of variables, fields with a prior (gaussian_field) among "
            "them; no constraints",
     .objective = OptimizerMethod::Objective::sum_of_squares,
     .make = &make<GaussNewton>},
    {.name = "mma",
     .doc = "globally convergent method of moving asymptotes (Svanberg 2002): many variables, bounds and constraints; for fields and shapes",
     .constrained = true,
     .make = &make<MmaOptimizer>},
    {.name = "sqp",
     .doc = "sequential quadratic programming with a quasi-Newton Hessian: few smooth variables, bounds and constraints",
     .constrained = true,
     .make = &make<SqpOptimizer>},
    {.name = "interior_point",
     .doc = "sequential quadratic programming with a limited-memory quasi-Newton Hessian, with an interior-point method for its subproblems: many smooth variables, also fields, bounds and many constraints",
     .constrained = true,
     .make = &make<InteriorPoint>},
};

}  // namespace

std::span<const OptimizerMethod> optimizer_methods() { return table; }

const OptimizerMethod& optimizer_method(std::string_view name) {
  const auto found = std::ranges::find(table, name, &OptimizerMethod::name);
  if (found != std::end(table)) return *found;
  std::string known;
  for (const std::string& n : optimizer_names()) known += (known.empty() ? "'" : ", '") + n + "'";
  throw std::invalid_argument("unknown optimizer '" + std::string(name) + "'; use one of " + known);
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const OptimizerMethod& m : table) names.emplace_back(m.name);
  return names;
}

std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const OptimizerOptions& options) {
  return optimizer_method(name).make(options);
}

}  // namespace invar
