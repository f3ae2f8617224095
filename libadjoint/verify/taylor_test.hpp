#pragma once
#include <functional>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

struct TaylorOptions {
  double first_step = 0.1;
  double factor = 4;        // between steps
  int steps = 12;           // at most; the test ends where the remainder drowns in round-off
  double tolerance = 0.02;  // on the observed order
  /// Lower bound of the round-off of J relative to |J|. The actual one is measured; raise this
  /// when the state equation is solved to a coarser tolerance than round-off.
  double relative_noise = 2e-16;
};

/// Standard deviation of the round-off of J near θ along d: the largest of the estimates from the
/// second to sixth differences of eight values 1e-10 apart (after Moré and Wild, Estimating
/// computational noise, 2011). NaN when one of the values fails.
double measured_noise(ReducedFunctional& functional, const DesignVector& theta,
                      const DesignVector& direction);

/// Remainder of an expansion at step h, with its sign where it is a number, and its round-off.
struct Remainder {
  Evaluation evaluation;
  double value = 0, noise = 0;
};

/// The observed order of a remainder, from the last two rates above round-off, where a wrong term
/// of lower order would show, extrapolated to h = 0 (a rate differs from the order by O(h)). Passed
/// where it is `order`, or one or two more (the next terms vanish along this direction), within the
/// tolerance, or any more where no term of lower order is seen behind it; also where the remainder is round-off from the first step on.
///
/// Where it is none of these (kinks, jumps, solves that are not tight, coarse round-off), the wrong
/// term itself, c in |c| h^(order−1), is extrapolated to h = 0 (see Richardson). Failed where it is
/// clearly not zero: more than ten times its own error, and than 1e-6 of `scale`, which is the
/// derivative that the expansion checks, or ten times `known` of it, the estimated relative error of
/// that derivative. Passed where it is clearly less than that. Undecided between the two, and where
/// the remainders of negative steps are as they should be: a kink has two derivatives.
CertificateEntry judge_order(std::string check, std::string subject, int order, double scale,
                             double known, const TaylorOptions& options,
                             const std::function<Remainder(double h)>& remainder);

/// |J(θ + h d) − J(θ) − h g·d| must vanish with h². θ + h·d must stay within the bounds for
/// h ≤ first_step (see Directions).
CertificateEntry taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                             const DesignVector& direction, std::string subject,
                             const TaylorOptions& options = {});

}  // namespace invar
