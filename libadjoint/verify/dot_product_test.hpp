#pragma once
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// A direction in which derivatives are compared.
struct Probe {
  std::string name;
  DesignVector direction;
};

/// The adjoint's g·v against the tangent's dJ/dθ·v, an entry for each direction v. The relative difference is
/// measured by the greater of the two, or by 1e-6 ‖g‖‖v‖ where v is nearly orthogonal to g. It must be within the
/// tolerance or, where the linear solves could not be as exact as that, four times the error that they are estimated to
/// have. Should that be more than 1e-4, agreement proves nothing: undecided.
std::vector<CertificateEntry> dot_product_tests(ReducedFunctional& functional, const DesignVector& theta,
                                                const std::vector<Probe>& probes, double tolerance = 1e-8);

/// In one direction.
CertificateEntry dot_product_test(ReducedFunctional& functional, const DesignVector& theta,
                                  const DesignVector& direction, std::string subject, double tolerance = 1e-8);

/// What rounding leaves of the derivative of a value that does not depend on anything, relative to the value: derivatives
/// along directions, whose entries are of the size of their variables, that differ by less agree.
inline constexpr double zero_derivative = 1e-14;

/// Fills the entry in: dJ·d by the adjoint's gradient against the tangent's derivative. `error`: what both together are
/// estimated to be off, in the unit of the derivative; `value`: J, or 0.
void compare(CertificateEntry& entry, const DesignVector& gradient, double reference, const DesignVector& direction,
             MPI_Comm comm, double error = 0, double value = 0);

}  // namespace invar
