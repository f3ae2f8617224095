#include "libfem/form/contact_report.hpp"

#include <cstdio>

#include "libfem/mesh/place_text.hpp"

namespace invar {

std::string what_bars_the_way(FormResidual& residual, const EvaluationPoint& u) {
  const int dim = residual.dofs().mesh().dim;
  const ClosestApproach now = residual.nearest(u);
  if (now.between.empty()) return {};
  const std::string place = place_in_words(now.place, dim);
  if (now.gap <= 0) {
    double size = 0;
    check(VecNorm(u.unknown, NORM_INFINITY, &size));
    return now.between + " intersect at " + place + (size == 0 ? " in the undeformed state" : "");
  }
  char apart[48];
  std::snprintf(apart, sizeof apart, " are %.3g m apart at ", now.gap);
  return now.between + apart + place;
}

}  // namespace invar
