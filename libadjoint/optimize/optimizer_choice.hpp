#pragma once
#include <string_view>

namespace invar {

/// What the choice of an optimiser depends on.
struct SearchFacts {
  bool constraints = false;
  bool sum_of_squares = false;  // the objective is ½‖ρ‖²
  bool prior = false;           // a designed field has a prior, which is a part of ρ
  bool fields = false;          // entries of fields are designed, besides or in place of a few numbers
};

/// The name of a suitable method for `make_optimizer`.
inline std::string_view suitable_optimizer(const SearchFacts& facts) {
  if (facts.constraints) return facts.fields ? "mma" : "sqp";
  if (facts.sum_of_squares && facts.prior) return "gauss_newton";
  return facts.sum_of_squares && !facts.fields ? "levenberg_marquardt" : "quasi_newton";
}

}  // namespace invar
