#pragma once
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// A named direction along which derivatives are compared.
struct Probe {
  std::string name;
  DesignVector direction;
};

/// Compares g·v from the adjoint with dJ/dθ·v from the tangent, one entry per direction v. The difference is relative
/// to the larger of the two, or to 1e-6 ‖g‖‖v‖ if v is nearly orthogonal to g. It must be within the tolerance or, if
/// that is larger, within four times the estimated error of the linear solves. If this error bound exceeds 1e-4, an
/// agreeing entry is undecided, because agreement would prove nothing. If the terms of a derivative cancel, both values
/// agree when their difference is round-off (`zero_derivative`); if they disagree but are no larger than the solver
/// errors of the terms, the entry is undecided.
std::vector<CertificateEntry> dot_product_tests(ReducedFunctional& functional, const DesignVector& theta,
                                                const std::vector<Probe>& probes, double tolerance = 1e-8);

/// The same for one direction.
CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta,
                                  const DesignVector& direction, std::string subject, double tolerance = 1e-8);

/// Round-off of a derivative relative to the value and to the terms of the derivative. Derivatives along directions of
/// `Directions` whose difference is below this agree.
inline constexpr double zero_derivative = 1e-14;

/// Scales of the errors of derivatives along a direction.
struct DerivativeScales {
  double error = 0;      // estimated relative error of both derivatives together
  double magnitude = 0;  // reference magnitude of that error
  double value = 0;      // J
  double terms = 0;      // Σ |terms| that the derivative is the sum of (`ReducedFunctional::term_sizes`)
};

/// Fills in the entry: compares dJ·d from the adjoint's gradient with `reference`, the derivative by the tangent.
void compare(CertificateEntry& entry, const DesignVector& gradient, double reference, const DesignVector& direction,
             MPI_Comm comm, const DerivativeScales& scales = {});

}  // namespace invar
