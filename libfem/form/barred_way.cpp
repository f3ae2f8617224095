#include "libfem/form/barred_way.hpp"

#include <cstdio>

namespace invar {

std::string place_in_words(const std::array<double, 3>& x, int dim) {
  char place[96];
  if (dim == 3) std::snprintf(place, sizeof place, "(%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
  else std::snprintf(place, sizeof place, "(%.4g, %.4g)", x[0], x[1]);
  return place;
}

std::string what_bars_the_way(FormResidual& residual, const EvaluationPoint& u) {
  const int dim = residual.dofs().mesh().dim;
  const VecHandle rest = zeros_like(u.unknown);
  check(VecSet(rest, 0.0));
  const Approach undeformed = residual.nearest({State(rest), u.given});
  if (undeformed.gap <= 0) return undeformed.between + " intersect at " + place_in_words(undeformed.place, dim) + " before anything moves them";
  const Approach now = residual.nearest(u);
  if (now.between.empty()) return {};
  char apart[48];
  std::snprintf(apart, sizeof apart, " are %.3g m apart at ", now.gap);
  return now.between + apart + place_in_words(now.place, dim);
}

}  // namespace invar
