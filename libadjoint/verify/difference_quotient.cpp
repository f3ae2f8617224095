#include "libadjoint/verify/difference_quotient.hpp"

#include <cmath>

#include "libadjoint/verify/richardson.hpp"

namespace invar {
namespace {

constexpr double ratio = 4;  // of successive steps

/// One quotient; NaN and the reason when f fails.
double quotient(const std::function<Evaluation(double)>& f, double value, double h,
                const DifferenceQuotientOptions& options, std::string& failure) {
  const double s = options.side;
  const Evaluation one = f(options.central ? h : s * h);
  const Evaluation two = f(options.central ? -h : 2 * s * h);
  if (!one.ok || !two.ok) {
    failure = one.ok ? two.reason : one.reason;
    return std::nan("");
  }
  return options.central ? (one.value - two.value) / (2 * h)
                         : s * (4 * one.value - 3 * value - two.value) / (2 * h);
}

}  // namespace

double round_off_of_difference(double h, const DifferenceQuotientOptions& options) {
  // Ten standard deviations: σ/(√2 h) for central, √26 σ/(2 h) for one-sided differences.
  return (options.central ? 7.1 : 25.5) * options.noise / h;
}

DifferenceQuotient extrapolated_difference(const std::function<Evaluation(double offset)>& f, double value,
                                           const DifferenceQuotientOptions& options) {
  DifferenceQuotient best{.failure = "no two steps could be evaluated"};
  // Error series of central differences: h², h⁴, …; one-sided: h², h³, …
  Richardson limit(2, options.central ? 2 : 1);
  double h = options.first_step;
  for (int level = 0; level < options.levels; ++level, h /= ratio) {
    std::string failure;
    const double now = quotient(f, value, h, options, failure);
    if (std::isnan(now)) {
      if (std::isinf(limit.error())) best.failure = failure;
      limit.skip();
      continue;
    }
    const double round_off = round_off_of_difference(h, options);
    limit.add(h, now, round_off);
    if (limit.error() <= options.error_wanted || limit.error() <= ratio * round_off) break;
  }
  return std::isinf(limit.error()) ? best : DifferenceQuotient{limit.value(), limit.error(), {}};
}

}  // namespace invar
