#pragma once
#include <cstdint>
#include <limits>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

struct FiniteDifferenceOptions {
  int max_entries = 20;     // of shared and of local entries each; above this number a random subset is tested
  std::uint64_t seed = 1;
  double step = 4e-4;       // the first step, relative to the size of the variable (see Directions)
  double tolerance = 1e-6;  // or the error of the difference, if that is larger
  double crude = 1e-4;      // a difference with a larger error is undecided
  double noise = std::numeric_limits<double>::quiet_NaN();  // round-off of J near θ, see TaylorOptions; NaN: it is measured
};

/// Compares dJ/dθ_i by extrapolated central differences (one-sided at a bound) with the adjoint, one entry per
/// variable, with the estimated error of the difference. Everything is relative to |g_i| or, if g_i is smaller, to a
/// thousandth of the largest relative sensitivity or to 1e-8 J. A variable whose difference is too inaccurate is
/// undecided, unless it deviates from the adjoint by more than ten times the estimated error.
std::vector<CertificateEntry> finite_difference_table(ReducedFunctional& functional,
                                                      const DesignVector& theta,
                                                      const FiniteDifferenceOptions& options = {});

}  // namespace invar
