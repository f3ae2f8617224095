#pragma once
#include <cstdint>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

struct FiniteDifferenceOptions {
  int max_entries = 20;     // a random subset beyond, of shared and of local entries each
  std::uint64_t seed = 1;
  double step = 4e-4;       // the first, relative to the size of the variable (see Directions)
  double tolerance = 1e-6;  // or what the difference itself leaves uncertain, if that is more
  double crude = 1e-4;      // a difference more uncertain than this proves nothing
};

/// dJ/dθ_i by extrapolated central differences (one-sided at a bound) against the adjoint, one entry
/// per variable, with the error that the difference itself may have. Everything relative to |g_i|, or
/// to a thousandth of the largest relative sensitivity, or to 1e-8 J, where g_i is smaller. A variable whose
/// difference is too crude is undecided, unless it contradicts the adjoint by ten times its error.
std::vector<CertificateEntry> finite_difference_table(ReducedFunctional& functional,
                                                      const DesignVector& theta,
                                                      const FiniteDifferenceOptions& options = {});

}  // namespace invar
