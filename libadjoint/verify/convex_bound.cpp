#include "libadjoint/verify/convex_bound.hpp"

#include <array>
#include <cmath>

#include "libadjoint/optimize/entry_layout.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The dual function of one multiplier λ.
struct Dual1 {
  const EntryLayout& layout;
  VectorXd theta, lower, upper, g, a;  // a: gradient of the constraint in the form value ≤ limit; empty: none
  double slack = 0;

  /// Value and slope.
  std::array<double, 2> at(double lambda) const {
    const VectorXd sums = layout.sum(2, [&](Index j, VectorXd& sum) {
      const double aj = a.size() ? a[j] : 0, price = g[j] + lambda * aj, move = (price > 0 ? lower[j] : upper[j]) - theta[j];
      if (price == 0) return;
      sum[0] += price * move;
      sum[1] += aj * move;
    });
    return {sums[0] - lambda * slack, sums[1] - slack};
  }
};

}  // namespace

ConvexBound convex_bound(ReducedFunctional& functional, const DesignVector& theta) {
  ConvexBound result;
  const std::vector<ConstraintInfo> limits = functional.constraints();
  const auto refuse = [&](const char* why) {
    result.evaluation = Evaluation::failure(why);
    return result;
  };
  if (limits.size() > 1) return refuse("there is more than one constraint");
  if (!limits.empty() && std::isfinite(limits[0].lower) == std::isfinite(limits[0].upper))
    return refuse("the constraint is an equation or has two sides");
  DesignVector g;
  std::vector<double> c;
  std::vector<DesignVector> of_c;
  result.evaluation = functional.gradients(theta, g, c, of_c);
  if (!result.evaluation.ok) return result;
  const EntryLayout layout(functional.comm(), theta);
  Dual1 dual{layout, layout.flat(theta), layout.flat(functional.lower()), layout.flat(functional.upper()), layout.flat(g), {}};
  if (!layout.all(dual.lower.allFinite() && dual.upper.allFinite())) return refuse("a variable has no bounds");
  if (!limits.empty()) {
    const bool above = std::isfinite(limits[0].upper);
    dual.a = (above ? 1.0 : -1.0) * layout.flat(of_c[0]);
    dual.slack = above ? limits[0].upper - c[0] : c[0] - limits[0].lower;
  }
  result.value = result.evaluation.value;
  double low = 0, best = dual.at(0)[0];
  if (!limits.empty() && dual.at(0)[1] > 0) {
    const double size = layout.norm(dual.g) / std::max(layout.norm(dual.a), std::numeric_limits<double>::min());
    double high = size;
    for (int k = 0; k < 60 && dual.at(high)[1] > 0; ++k) high *= 2;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
      const double middle = 0.5 * (low + high);
      const auto [value, slope] = dual.at(middle);
      if (value > best) {
        best = value;
        result.multiplier = middle;
      }
      (slope > 0 ? low : high) = middle;
    }
  }
  result.bound = result.value + best;
  return result;
}

}  // namespace invar
