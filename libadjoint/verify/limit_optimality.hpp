#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/local_limits.hpp"

namespace invar {

/// A term of the objective with limits at points (`LocalLimits`).
struct LimitedTerm {
  std::string name;  // unique: that of the term, with a number if another one has it
  CaseQuantity quantity;
  LocalLimits* limits = nullptr;
};

/// Those of these cases, in order.
std::vector<LimitedTerm> limited_terms(const std::vector<std::shared_ptr<Case>>& cases);

/// First-order conditions of a problem with limits at points.
struct LimitOptimality {
  std::vector<LimitStatus> limits;  // one per term
  /// ‖P ∇L‖/‖∇f‖: the gradient of the Lagrangian L, projected where a variable is at its bound, relative to the gradient of the objective
  /// without the terms of the limits (or to ∇L, if nothing else is minimised). Multipliers of other constraints are those that make it
  /// least in the variables between their bounds (Nocedal, Wright, Numerical Optimization, 2006, eq. 18.21); wrong signs count as zero. NaN
  /// if gradients cannot be computed.
  double gradient = std::numeric_limits<double>::quiet_NaN();
};

/// At θ, whose states are solved. Collective; costs two evaluations with gradients.
LimitOptimality limit_optimality(CaseFunctional& functional, const DesignVector& theta, const std::vector<LimitedTerm>& terms);

}  // namespace invar
