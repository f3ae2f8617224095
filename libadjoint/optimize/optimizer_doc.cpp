#include "libadjoint/optimize/optimizer_doc.hpp"

#include <stdexcept>
#include <string>

namespace invar {

std::string_view optimizer_doc(std::string_view name) {
  if (name == "quasi_newton") return "limited-memory quasi-Newton within bounds (TAO's BQNLS); any number of variables, no constraints";
  if (name == "conjugate_gradient") return "nonlinear conjugate gradients within bounds (TAO's BNCG); less memory, more evaluations; no constraints";
  if (name == "levenberg_marquardt") return "Gauss-Newton with a trust region (Ceres), for sums of squares and few numbers; no constraints";
  if (name == "mma") return "globally convergent method of moving asymptotes (Svanberg 2002): many variables, bounds and constraints; for fields and shapes";
  if (name == "sqp") return "sequential quadratic programming with a quasi-Newton Hessian: few smooth variables, bounds and constraints";
  throw std::invalid_argument("there is no optimiser '" + std::string(name) + "'");
}

}  // namespace invar
