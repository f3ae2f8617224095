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

std::vector<CertificateEntry> dot_product_tests(ReducedFunctional& functional, const DesignVector& theta,
                                                const std::vector<Probe>& probes, double tolerance) {
  std::vector<DesignVector> directions;
  for (const Probe& probe : probes) directions.push_back(probe.direction);
  DesignVector g = DesignVector::zeros_like(theta);
  std::vector<double> references;
  const Evaluation adjoint = functional.gradient(theta, g);
  const Evaluation tangent = functional.directionals(theta, directions, references);
  std::vector<CertificateEntry> entries;
  for (std::size_t k = 0; k < probes.size(); ++k) {
    CertificateEntry entry{.check = "dot product", .subject = probes[k].name};
    entry.tolerance = tolerance;
    if (!adjoint.ok) entry.note = "the adjoint failed: " + adjoint.reason;
    else if (!tangent.ok) entry.note = "the tangent failed: " + tangent.reason;
    else compare(entry, g, references[k], directions[k], functional.comm());
    entries.push_back(std::move(entry));
  }
  return entries;
}

CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta, const DesignVector& direction,
                                  std::string subject, double tolerance) {
  return dot_product_tests(functional, theta, {{std::move(subject), direction}}, tolerance).front();
}

}  // namespace invar
