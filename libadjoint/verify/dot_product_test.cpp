#include "libadjoint/verify/dot_product_test.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

void compare(CertificateEntry& entry, const DesignVector& gradient, double reference, const DesignVector& direction,
             MPI_Comm comm) {
  const double length = norm(direction, comm);
  entry.derivative = dot(gradient, direction, comm);
  entry.reference = reference;
  const double size =
      std::max({std::abs(entry.derivative), std::abs(reference), 1e-6 * norm(gradient, comm) * length});
  entry.measured = size > 0 ? std::abs(entry.derivative - reference) / size : 0.0;
  entry.passed = entry.measured <= entry.tolerance && length > 0;
  if (!(length > 0)) entry.note = "nothing was compared: the direction is zero";
  else if (!entry.passed) entry.note = "adjoint and tangent disagree";
}

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
  compare(entry, g, entry.reference, direction, functional.comm());
  return entry;
}

}  // namespace invar
