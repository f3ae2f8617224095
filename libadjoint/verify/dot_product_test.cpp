#include "libadjoint/verify/dot_product_test.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta,
                                  const DesignVector& direction, std::string subject,
                                  double tolerance) {
  CertificateEntry entry{.check = "dot product", .subject = std::move(subject)};
  entry.tolerance = tolerance;
  DesignVector g = DesignVector::zeros_like(theta);
  const Evaluation adjoint = functional.gradient(theta, g);
  const Evaluation tangent = functional.directional(theta, direction, entry.reference);
  if (!adjoint.ok || !tangent.ok) {
    entry.note = adjoint.ok ? "the tangent failed: " + tangent.reason
                            : "the adjoint failed: " + adjoint.reason;
    return entry;
  }
  const MPI_Comm comm = functional.comm();
  entry.derivative = dot(g, direction, comm);
  const double size = std::max({std::abs(entry.derivative), std::abs(entry.reference),
                                1e-6 * norm(g, comm) * norm(direction, comm)});
  entry.measured = size > 0 ? std::abs(entry.derivative - entry.reference) / size : 0.0;
  entry.passed = entry.measured <= tolerance;
  if (!entry.passed) entry.note = "adjoint and tangent disagree";
  return entry;
}

}  // namespace invar
