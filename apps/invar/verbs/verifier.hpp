#pragma once
#include <optional>

#include "apps/invar/verbs/session.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/verify/parameter_shift.hpp"
#include "libadjoint/verify/verification.hpp"

namespace invar {

/// The checks that `verify.refine` asks for of the optimum of a run, and what is reported of every solid's density (`BodyChecks`). Finished checks are stored in verify/checks.json, so that a
/// resumed run does not repeat them; fields of the optimum in each setting are in verify/KIND.
class Verifier {
 public:
  /// `fitted`: of a fit whose intervals are known, else null.
  Verifier(Session& session, const OptimizerResult& optimum, const Uncertainty* fitted);

  /// All checks; nothing if the run is interrupted. Afterwards the problem's states are not those of the optimum.
  /// Collective.
  std::optional<Verification> verify();

 private:
  struct PlannedCheck {
    std::string kind;
    bool asked = true;
  };
  /// The checks of the spec, and additional ones for densities.
  std::vector<PlannedCheck> plan();
  VerificationCheck check(const PlannedCheck& planned);
  VerificationCheck refined(const std::string& kind);
  VerificationCheck convex();
  VerificationCheck from_another_start();
  OptimizerResult search_again(const DesignVector& start);
  /// The check of `level` in a separate problem; nothing, with the reason, if it cannot be solved.
  std::optional<RefinedGain> gain_in(Problem& problem, const DesignVector& start, const DesignVector& optimum, const std::string& kind,
                                     VerificationCheck& why_not);
  std::vector<ParameterShift> shifts_in(Problem& problem, const DesignVector& theta) const;
  void recall_checks();
  void keep_checks();
  void show(const VerificationCheck& check);
  void warn_of(const VerificationCheck& check);
  bool asked() const;

  Session& session_;
  Problem& problem_;
  const OptimizerResult& optimum_;
  const Uncertainty* fitted_;
  FitLinearization fit_;                 // at the optimum
  Verification verification_;
  std::vector<VerificationCheck> done_;  // by this run before it was taken up again
};

}  // namespace invar
