#pragma once
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// A named direction along which derivatives are compared.
struct Probe {
  std::string name;
  DesignVector direction;
};

/// Compares g·v of the adjoint with dJ/dθ·v of the tangent, one entry per direction v. The difference is relative to
/// the larger of the two, or to 1e-6 ‖g‖‖v‖ where v is nearly orthogonal to g. It must be within the tolerance or, if
/// that is larger, within four times the estimated error of the linear solves. Where this error bound exceeds 1e-4
/// the entry is undecided, because agreement would prove nothing. Where the terms of a derivative cancel, it is zero
/// but for round-off (`zero_derivative`), and what errors of the solves leave of one that is nothing else tells
/// nothing.
std::vector<CertificateEntry> dot_product_tests(ReducedFunctional& functional, const DesignVector& theta,
                                                const std::vector<Probe>& probes, double tolerance = 1e-8);

/// The same for one direction.
CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta,
                                  const DesignVector& direction, std::string subject, double tolerance = 1e-8);

/// Round-off of the derivative of a value that does not depend on the design, relative to the value and to the terms
/// that the derivative is the sum of. Derivatives along directions of `Directions` that differ by less than this agree.
inline constexpr double zero_derivative = 1e-14;

/// What derivatives along a direction are known to.
struct DerivativeScales {
  double error = 0;      // estimated relative error of both derivatives together
  double magnitude = 0;  // what that is relative to
  double value = 0;      // J
  double terms = 0;      // Σ |terms| that the derivative is the sum of (`ReducedFunctional::term_sizes`)
};

/// Fills in the entry: dJ·d by the adjoint's gradient against the derivative by the tangent, `reference`.
void compare(CertificateEntry& entry, const DesignVector& gradient, double reference, const DesignVector& direction,
             MPI_Comm comm, const DerivativeScales& scales = {});

}  // namespace invar
