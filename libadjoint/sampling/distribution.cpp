#include "libadjoint/sampling/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <cmath>

namespace invar {
namespace {

/// Quantile of the distribution `of` truncated to two bounds. Complements are used in the upper tail, to keep the digits.
template <class Boost>
double truncated_quantile(const Boost& of, double lower, double upper, double u) {
  const auto [least, greatest] = boost::math::support(of);
  const double low = std::max(lower, least), high = std::min(upper, greatest);
  const double median = boost::math::median(of);
  double value;
  if (low > median) {
    const double a = cdf(complement(of, low)), b = high < greatest ? cdf(complement(of, high)) : 0;
    value = quantile(complement(of, a + u * (b - a)));
  } else {
    const double a = low > least ? cdf(of, low) : 0, b = high < greatest ? cdf(of, high) : 1;
    value = quantile(of, a + u * (b - a));
  }
  return std::clamp(value, lower, upper);
}

}  // namespace

const char* Distribution::mistake() const {
  const auto [a, b, c] = parameters;
  if (!(lower < upper)) return "'lower' must be below 'upper'";
  switch (kind) {
    case Kind::log_uniform:
      if (!(a > 0)) return "numbers on a logarithmic scale must be positive";
      [[fallthrough]];
    case Kind::uniform:
      if (!(a < b)) return "the first number must be below the second";
      break;
    case Kind::normal:
    case Kind::lognormal:
      if (!(b > 0)) return "the standard deviation must be positive";
      break;
    case Kind::triangular:
      if (!(a <= b && b <= c && a < c)) return "the three numbers must rise";
      break;
  }
  const double least = kind == Kind::normal ? -INFINITY : kind == Kind::lognormal ? 0 : a;
  const double greatest = kind == Kind::normal || kind == Kind::lognormal ? INFINITY : kind == Kind::triangular ? c : b;
  if (!(upper > least && lower < greatest)) return "the distribution is zero between 'lower' and 'upper'";
  return nullptr;
}

double Distribution::quantile(double u) const {
  using namespace boost::math;
  const auto [a, b, c] = parameters;
  switch (kind) {
    case Kind::uniform: return truncated_quantile(uniform(a, b), lower, upper, u);
    case Kind::log_uniform:
      return std::clamp(std::exp(truncated_quantile(uniform(std::log(a), std::log(b)), lower > 0 ? std::log(lower) : -INFINITY,
                                                    std::log(upper), u)),
                        std::max(a, lower), std::min(b, upper));
    case Kind::normal: return truncated_quantile(normal(a, b), lower, upper, u);
    case Kind::lognormal: return truncated_quantile(lognormal(a, b), std::max(lower, 0.0), upper, u);
    case Kind::triangular: return truncated_quantile(triangular(a, b, c), lower, upper, u);
  }
  return 0;
}

}  // namespace invar
