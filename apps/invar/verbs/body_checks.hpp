#pragma once
#include <string>
#include <vector>

#include "apps/invar/verbs/session.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/verify/verification.hpp"

namespace invar {

/// Whether the optimum of this problem is solved as a body of material and void without being asked for: a solid's density with a penalty, unless
/// `verify.body` is false.
bool reports_body(const Problem& problem);

/// The threshold that rounds the densities of the last evaluation to 0 or 1: 1/2, or that which keeps the volume if it is constrained. Collective.
double rounding_threshold(const Problem& problem);

/// Largest violation of the constraints at θ, in their scale; NaN if they cannot be evaluated. Collective.
double violation_in(Problem& problem, const DesignVector& theta);

/// Checks of an optimal density as the body that will be made of it. Fields are in verify/KIND. Afterwards the problem's densities are not
/// rounded. Calls are collective.
class BodyChecks {
 public:
  BodyChecks(Session& session, const OptimizerResult& optimum, const ClaimedGain& claimed);

  /// On a mesh that fits the contour of the density (`build_fitted`).
  VerificationCheck fitted();
  /// Densities rounded to 0 and 1 on the same mesh.
  VerificationCheck black_white();
  /// `black_white` with and without the cells that are connected at a corner only.
  VerificationCheck corners();
  /// `fitted` or, where that is not possible and with or_rounded, `black_white`, as a description: objective, constraints, volume, least member size.
  VerificationCheck reported(bool or_rounded);

 private:
  /// What was solved last, as a check with its details.
  VerificationCheck described(const std::string& kind, Problem& problem, const DesignVector& theta, double objective);
  /// Adds the least member size of rounded densities [cell of the run, ghosts included] to a check.
  void measure_members(VerificationCheck& check, std::vector<double> rounded);

  Session& session_;
  Problem& problem_;
  const OptimizerResult& optimum_;
  const ClaimedGain& claimed_;
};

}  // namespace invar
