#pragma once
#include <functional>
#include <limits>
#include <string>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// A derivative by difference quotients, and how far it may be off.
struct DifferenceQuotient {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();  // estimate of |value − derivative|
  std::string failure{};  // why there is no value
};

struct DifferenceQuotientOptions {
  double first_step = 4e-4;    // h; then a quarter of the step before
  int levels = 6;              // steps at most
  double error_wanted = 0;     // no further steps from here on
  double noise = 0;            // standard deviation of the round-off of f
  bool central = true;         // else one-sided
  double side = 1;             // of one-sided differences: +1 needs f at h and 2h, −1 at −h and −2h
};

/// f'(0) by differences of second order, extrapolated to h = 0 (see Richardson), with ten times the round-off. No
/// quotient sees a kink on one side that is nearer than its step. `value` is f(0). Steps at which f cannot be evaluated
/// are left out. Collective if f is.
DifferenceQuotient extrapolated_difference(const std::function<Evaluation(double offset)>& f, double value,
                                           const DifferenceQuotientOptions& options);

/// What the round-off of f leaves uncertain in a quotient with step h.
double round_off_of_difference(double h, const DifferenceQuotientOptions& options);

}  // namespace invar
