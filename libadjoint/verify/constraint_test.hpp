#pragma once
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// Compares the adjoint gradient of every constraint with the tangent along one direction, one entry each. Collective.
std::vector<CertificateEntry> constraint_test(ReducedFunctional& functional, const DesignVector& theta,
                                              const DesignVector& direction, double tolerance);

}  // namespace invar
