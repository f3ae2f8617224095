#pragma once
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/verify/grid_convergence.hpp"

namespace invar {

/// What an optimisation claims: the objective where it began and where it ended.
struct ClaimedGain {
  double start = std::numeric_limits<double>::quiet_NaN(), optimum = std::numeric_limits<double>::quiet_NaN();
};

/// The same two designs in one other setting, the finest last.
struct RefinedGain {
  double start = std::numeric_limits<double>::quiet_NaN(), optimum = std::numeric_limits<double>::quiet_NaN();
  double violation = 0;  // of the constraints, in their scale
};

/// A fitted parameter in another setting, by one Gauss-Newton step from the fit.
struct ParameterShift {
  std::string name;
  double value = 0, shifted = 0;  // physical
  // |shift| over the half width of its interval on that side
  double of_interval = std::numeric_limits<double>::quiet_NaN();
};

/// One check of an optimum: it was solved again in another setting, or the reason why not.
struct VerificationCheck {
  enum class Outcome {
    measured,   // `share` says how much of the gain is left
    described,  // `reason` says what was found; there is no share
    undecided,  // the setting does not exist, or nothing was gained
    failed,     // the setting exists, and the optimum cannot be solved in it
  };
  std::string kind;
  Outcome outcome = Outcome::undecided;
  std::vector<RefinedGain> levels{};
  // of the objective at the optimum, relative to the claimed one
  double change = std::numeric_limits<double>::quiet_NaN();
  double share = std::numeric_limits<double>::quiet_NaN();   // of the claimed gain that is left
  std::optional<GridConvergence> convergence{};              // of the objective at the optimum
  std::vector<ParameterShift> shifts{};                      // of fits
  std::string reason{};                                      // a sentence
  // of a convex problem: the duality gap, relative to the objective
  double gap = std::numeric_limits<double>::quiet_NaN();
  double member_size = std::numeric_limits<double>::quiet_NaN();  // of a body in black and white: its least, m
  std::vector<std::pair<std::string, double>> quantities{};       // of the spec, in this setting
};

/// (J − J_optimum) / |J_optimum| of an objective J at the optimum in another setting; 0 where the two differ by
/// rounding.
double relative_change(const ClaimedGain& claimed, double optimum);
/// (J_start − J_optimum) in the finer setting over the same in the claimed one; NaN where nothing was gained.
double surviving_share(const ClaimedGain& claimed, const RefinedGain& fine);

/// The check of a kind by what came at one or two finer levels. `formal`: order of the method for the convergence
/// index, where levels are refined by halves; 0: they are not, there is no index.
VerificationCheck measured_check(std::string kind, const ClaimedGain& claimed, std::vector<RefinedGain> levels, double formal);
/// What a search from another start found: the same optimum as long as the two differ by at most 1 % of the gain, else
/// a better or a worse one. apart: the largest difference of a variable in parts of the distance of its bounds.
VerificationCheck repeated_check(std::string kind, const ClaimedGain& claimed, const RefinedGain& other, double apart);
/// A check that was not possible, or whose solve failed.
VerificationCheck unmeasured_check(std::string kind, VerificationCheck::Outcome outcome, std::string reason);

/// All checks of an optimum, and the verdict.
struct Verification {
  ClaimedGain claimed;
  double survive = 0.5;  // least share that is required
  std::vector<VerificationCheck> checks{};

  /// The least share of all checks, 0 where one failed; NaN where every check is undecided.
  double survives() const;
  /// Whether at least `survive` is left, and no fitted parameter leaves its interval. False where every check is
  /// undecided.
  bool passed() const;
  std::string verdict() const;
};

}  // namespace invar
