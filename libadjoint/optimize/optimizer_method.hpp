#pragma once
#include <span>

#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// An optimisation method as plain data beside its class. An entry of the table is all that the program needs to know
/// of it.
struct OptimizerMethod {
  enum class Objective { any, sum_of_squares };

  std::string_view name, doc;              // the word of `optimizer.method`; one line for the reference
  bool constrained = false;                // takes constraints
  Objective objective = Objective::any;    // what it can minimise
  bool second_derivatives = false;         // needs Hessian products
  std::unique_ptr<Optimizer> (*make)(const OptimizerOptions&) = nullptr;
};

/// All methods, the default first.
std::span<const OptimizerMethod> optimizer_methods();
/// The method of that name. Throws std::invalid_argument where there is none.
const OptimizerMethod& optimizer_method(std::string_view name);

}  // namespace invar
