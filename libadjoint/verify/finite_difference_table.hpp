#pragma once
#include <cstdint>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

struct FiniteDifferenceOptions {
  int max_entries = 20;     // a random subset beyond, of shared and of local entries each
  std::uint64_t seed = 1;
  double step = 1e-4;       // relative to the size of the variable (see Directions)
  double tolerance = 1e-6;  // besides what the round-off of J leaves uncertain
};

/// dJ/dθ_i by central differences (one-sided of second order at a bound) against the adjoint, one
/// entry per variable. The relative difference is measured by |g_i|, or by a thousandth of the
/// largest relative sensitivity where g_i is smaller.
std::vector<CertificateEntry> finite_difference_table(ReducedFunctional& functional,
                                                      const DesignVector& theta,
                                                      const FiniteDifferenceOptions& options = {});

}  // namespace invar
