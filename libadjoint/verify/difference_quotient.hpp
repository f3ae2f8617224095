#pragma once
#include <functional>
#include <limits>
#include <string>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// A derivative by difference quotients, with an estimate of its error.
struct DifferenceQuotient {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();  // estimate of |value − derivative|
  std::string failure{};  // why there is no value; empty otherwise
};

struct DifferenceQuotientOptions {
  double first_step = 4e-4;    // h; each further step is a quarter of the previous one
  int levels = 6;              // most steps
  double error_wanted = 0;     // stop when the estimated error is below this
  double noise = 0;            // standard deviation of the round-off of f
  bool central = true;         // false: one-sided
  double side = 1;             // for one-sided differences: +1 evaluates f at h and 2h, −1 at −h and −2h
};

/// f'(0) by second-order differences, extrapolated to h = 0 (see Richardson). Round-off enters the error estimate
/// tenfold. A kink closer than the smallest step is not detected. `value` is f(0). Steps at which f cannot be evaluated
/// are omitted. Collective if f is.
DifferenceQuotient extrapolated_difference(const std::function<Evaluation(double offset)>& f, double value,
                                           const DifferenceQuotientOptions& options);

/// Effect of the round-off of f on a quotient with step h.
double round_off_of_difference(double h, const DifferenceQuotientOptions& options);

}  // namespace invar
