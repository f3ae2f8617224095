#include "libadjoint/verify/constraint_test.hpp"

#include <cmath>

#include "libadjoint/verify/dot_product_test.hpp"

namespace invar {

std::vector<CertificateEntry> constraint_test(ReducedFunctional& functional, const DesignVector& theta,
                                              const DesignVector& direction, double tolerance) {
  const std::vector<ConstraintInfo> infos = functional.constraints();
  std::vector<CertificateEntry> entries;
  if (infos.empty()) return entries;
  std::vector<double> values, derivatives;
  std::vector<DesignVector> gradients;
  const Evaluation adjoint = functional.constraint_gradients(theta, values, gradients);
  const Evaluation tangent = functional.constraint_directional(theta, direction, derivatives);
  const std::vector<double> terms = functional.term_sizes();
  for (std::size_t k = 0; k < infos.size(); ++k) {
    CertificateEntry entry{.check = "dot product", .subject = "constraint " + infos[k].name};
    entry.tolerance = tolerance;
    if (!adjoint.ok) entry.note = "the adjoint failed: " + adjoint.reason;
    else if (!tangent.ok) entry.note = "the tangent failed: " + tangent.reason;
    else compare(entry, gradients[k], derivatives[k], direction, functional.comm(),
                 {adjoint.error + tangent.error, std::abs(derivatives[k]), values[k], k < terms.size() ? terms[k] : 0.0});
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace invar
