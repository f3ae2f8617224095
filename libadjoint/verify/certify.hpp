#pragma once
#include <cstdint>

#include "libadjoint/verify/finite_difference_table.hpp"
#include "libadjoint/verify/taylor_test.hpp"

namespace invar {

struct CertifyOptions {
  int directions = 2;  // random ones, besides the gradient's
  std::uint64_t seed = 1;
  double dot_tolerance = 1e-8;
  bool hessian = false;
  TaylorOptions taylor{};
  FiniteDifferenceOptions finite_differences{};
};

/// Every check of the derivatives at θ: Taylor and dot product along the gradient and random
/// directions, differences by variable and, when asked for, the Hessian's. Of processes in time with the
/// steps that they take at θ, and whether they take others nearby. Collective.
Certificate certify(ReducedFunctional& functional, const DesignVector& theta,
                    const CertifyOptions& options = {});

}  // namespace invar
