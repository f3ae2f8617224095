#pragma once
#include <span>

#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// Description of an optimisation method as plain data, in a table. The rest of the program needs nothing else to offer
/// the method.
struct OptimizerMethod {
  enum class Objective { any, sum_of_squares };

  std::string_view name, doc;              // value of `optimizer.method`; one line for the reference
  bool constrained = false;                // supports constraints
  Objective objective = Objective::any;    // admissible objectives
  bool second_derivatives = false;         // needs Hessian products
  std::unique_ptr<Optimizer> (*make)(const OptimizerOptions&) = nullptr;
};

/// All methods, the default first.
std::span<const OptimizerMethod> optimizer_methods();
/// The method with this name. Throws std::invalid_argument if there is none.
const OptimizerMethod& optimizer_method(std::string_view name);

}  // namespace invar
