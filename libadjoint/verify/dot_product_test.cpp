#include "libadjoint/verify/dot_product_test.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

void compare(CertificateEntry& entry, const DesignVector& gradient, double reference, const DesignVector& direction,
             MPI_Comm comm, const DerivativeScales& scales) {
  constexpr double margin = 4, crude = 1e-4;
  const double length = norm(direction, comm);
  entry.derivative = dot(gradient, direction, comm);
  entry.reference = reference;
  const double size =
      std::max({std::abs(entry.derivative), std::abs(reference), 1e-6 * norm(gradient, comm) * length});
  entry.measured = size > 0 ? std::abs(entry.derivative - reference) / size : 0.0;
  const double allowed = size > 0 ? margin * scales.error * scales.magnitude / size : 0.0;
  if (allowed > entry.tolerance) {
    entry.tolerance = allowed;
    entry.note = "ill-conditioned: more digits than these are lost to rounding";
  }
  if (!(length > 0)) {
    entry.note = "nothing was compared: the direction is zero";
    return;
  }
  const double larger = std::max(std::abs(entry.derivative), std::abs(reference));
  const double round_off = zero_derivative * (std::abs(scales.value) + scales.terms);
  if (entry.measured > entry.tolerance && std::abs(entry.derivative - reference) <= round_off) {
    entry.passed = true;
    entry.note = larger <= 10 * round_off ? "zero but for round-off" : "right but for round-off: its terms cancel";
    return;
  }
  const bool agrees = entry.measured <= entry.tolerance;
  entry.passed = agrees && allowed <= crude;
  const bool nothing_left = !agrees && larger <= margin * scales.error * scales.terms;
  entry.undecided = nothing_left || (agrees && !entry.passed);
  if (nothing_left) entry.note = "cannot tell: its terms cancel, and the rest are errors of the solves";
  else if (entry.undecided) entry.note = "cannot tell: rounding leaves too few digits; a smaller tolerance of linear solves may leave more";
  else if (!agrees) entry.note = "adjoint and tangent disagree";
}

std::vector<CertificateEntry> dot_product_tests(ReducedFunctional& functional, const DesignVector& theta,
                                                const std::vector<Probe>& probes, double tolerance) {
  std::vector<DesignVector> directions;
  for (const Probe& probe : probes) directions.push_back(probe.direction);
  DesignVector g = DesignVector::zeros_like(theta);
  std::vector<double> references;
  const Evaluation adjoint = functional.gradient(theta, g);
  const Evaluation tangent = functional.directionals(theta, directions, references);
  const std::vector<double> magnitudes = functional.magnitudes(), terms = functional.term_sizes();
  std::vector<CertificateEntry> entries;
  for (std::size_t k = 0; k < probes.size(); ++k) {
    CertificateEntry entry{.check = "dot product", .subject = probes[k].name};
    entry.tolerance = tolerance;
    if (!adjoint.ok) entry.note = "the adjoint failed: " + adjoint.reason;
    else if (!tangent.ok) entry.note = "the tangent failed: " + tangent.reason;
    else {
      const double magnitude = std::max(std::abs(references[k]), k < magnitudes.size() ? magnitudes[k] : 0.0);
      compare(entry, g, references[k], directions[k], functional.comm(),
              {adjoint.error + tangent.error, magnitude, adjoint.value, k < terms.size() ? terms[k] : 0.0});
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta, const DesignVector& direction,
                                  std::string subject, double tolerance) {
  return dot_product_tests(functional, theta, {{std::move(subject), direction}}, tolerance).front();
}

}  // namespace invar
