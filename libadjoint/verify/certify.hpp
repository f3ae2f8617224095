#pragma once
#include <cstdint>

#include "libadjoint/verify/finite_difference_table.hpp"
#include "libadjoint/verify/taylor_test.hpp"

namespace invar {

struct CertifyOptions {
  int directions = 2;  // random directions, in addition to the gradient
  std::uint64_t seed = 1;
  double dot_tolerance = 1e-8;
  bool hessian = false;
  TaylorOptions taylor{};
  FiniteDifferenceOptions finite_differences{};
};

/// All checks of the derivatives at θ: Taylor and dot-product tests along the gradient and random directions, finite
/// differences by variable and, on request, tests of the Hessian. Transient cases are compared with the time steps of
/// the run at θ; an entry reports whether neighbouring points would take other steps. Collective.
Certificate certify(ReducedFunctional& functional, const DesignVector& theta,
                    const CertifyOptions& options = {});

}  // namespace invar
