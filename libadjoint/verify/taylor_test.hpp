#pragma once
#include <functional>
#include <limits>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

struct TaylorOptions {
  double first_step = 0.1;
  double factor = 4;        // ratio of successive steps
  int steps = 12;           // largest number; the test ends earlier if the remainder is below round-off
  double tolerance = 0.02;  // on the observed order
  /// Lower bound of the relative round-off of J. The actual round-off is measured; increase this if the state equation
  /// is solved to a coarser tolerance than round-off.
  double relative_noise = 2e-16;
  /// Round-off of J near θ (see measured_noise), for several tests at the same θ; NaN: the test measures it along its direction.
  double noise = std::numeric_limits<double>::quiet_NaN();
};

/// Standard deviation of the round-off of J near θ along d: the largest estimate from the second to sixth differences
/// of eight values at distances of 1e-10 (after Moré and Wild, Estimating computational noise, 2011). NaN if an
/// evaluation fails.
double measured_noise(ReducedFunctional& functional, const DesignVector& theta,
                      const DesignVector& direction);

/// Remainder of an expansion at step h, signed where it is a scalar, and its round-off.
struct Remainder {
  Evaluation evaluation;
  double value = 0, noise = 0;
  long long switched = -1;  // see TaylorStep
};

/// Determines the observed order of a remainder from the last two rates above round-off, extrapolated to h = 0 (a rate
/// deviates from the order by O(h)); an error term of lower order would show there. The entry passes if the order is,
/// within the tolerance, `order` or one or two higher (the next terms vanish along this direction), or higher still
/// with no term of lower order after it, or if the remainder is round-off from the first step on.
/// In all other cases (kinks, jumps, inexact solves, large round-off) the coefficient c of the error term |c|
/// h^(order−1) is extrapolated to h = 0 (see Richardson) and compared with a threshold: the larger of 1e-6 and ten
/// times `known`, the estimated relative error of the derivative, times `scale`, the derivative that the expansion
/// checks. Failed if c exceeds both the threshold and ten times its own error. Passed if c is clearly below the
/// threshold. Otherwise undecided; also undecided if the remainders of negative steps have the right order, because a
/// kink has two one-sided derivatives.
CertificateEntry check_order(std::string check, std::string subject, int order, double scale,
                             double known, const TaylorOptions& options,
                             const std::function<Remainder(double h)>& remainder);

/// |J(θ + h d) − J(θ) − h g·d| must be O(h²). θ + h·d must stay within the bounds for h ≤ first_step (see Directions).
/// The note reports at how many points the equation switches to another branch.
CertificateEntry taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                             const DesignVector& direction, std::string subject,
                             const TaylorOptions& options = {});

}  // namespace invar
