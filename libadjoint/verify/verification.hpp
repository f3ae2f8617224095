#pragma once
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/verify/grid_convergence.hpp"

namespace invar {

/// Result of an optimisation: the objective at its start and at its optimum.
struct ClaimedGain {
  double start = std::numeric_limits<double>::quiet_NaN(), optimum = std::numeric_limits<double>::quiet_NaN();
};

/// The same two designs in another setting, such as a finer mesh.
struct RefinedGain {
  double start = std::numeric_limits<double>::quiet_NaN(), optimum = std::numeric_limits<double>::quiet_NaN();
  double violation = 0;  // largest violation of a constraint, in its scale
};

/// First-order shift of a fitted parameter in another setting (`parameter_shifts`).
struct ParameterShift {
  std::string name;
  double value = 0, shifted = 0;  // physical
  // |shift| over the half width of the confidence interval on that side
  double of_interval = std::numeric_limits<double>::quiet_NaN();
};

/// One check of an optimum in another setting, or the reason why it was not possible.
struct VerificationCheck {
  enum class Outcome {
    measured,   // `share` is the remaining share of the gain
    described,  // `reason` describes the finding; there is no share
    undecided,  // the setting does not exist, or there was no gain
    failed,     // the setting exists, and the optimum cannot be solved in it
  };
  std::string kind;
  Outcome outcome = Outcome::undecided;
  std::vector<RefinedGain> levels{};
  // change of the objective at the optimum relative to the claimed one
  double change = std::numeric_limits<double>::quiet_NaN();
  double share = std::numeric_limits<double>::quiet_NaN();   // remaining share of the claimed gain
  std::optional<GridConvergence> convergence{};              // of the objective at the optimum
  std::vector<ParameterShift> shifts{};                      // of fits
  std::string reason{};                                      // a sentence
  // for convex problems: duality gap relative to the objective
  double gap = std::numeric_limits<double>::quiet_NaN();
  double member_size = std::numeric_limits<double>::quiet_NaN();  // for black-and-white topologies: smallest member size, m
  std::vector<std::pair<std::string, double>> quantities{};       // quantities of the spec in this setting
  std::vector<std::pair<std::string, double>> constraints{};      // values of the constraints in this setting
  double volume = std::numeric_limits<double>::quiet_NaN();       // of the body of material, m³
  bool asked = true;  // false: made for every such optimum, to be reported; whether the verification passes does not depend on it
};

/// (J − J_optimum) / |J_optimum| of the objective J at the optimum in another setting; 0 if they differ by round-off.
double relative_change(const ClaimedGain& claimed, double optimum);
/// (J_start − J_optimum) in the finer setting over the same in the claimed one; NaN if there was no gain.
double surviving_share(const ClaimedGain& claimed, const RefinedGain& fine);

/// A check from results on one or two finer levels. `formal`: order of the method, for the grid convergence index with
/// refinement ratio 2; 0: no index.
VerificationCheck measured_check(std::string kind, const ClaimedGain& claimed, std::vector<RefinedGain> levels, double formal);
/// Compares the optimum of a search from another start: the same if the objectives differ by at most 1 % of the gain, else
/// better or worse. apart: largest difference of a variable as a fraction of its range.
VerificationCheck repeated_check(std::string kind, const ClaimedGain& claimed, const RefinedGain& other, double apart);
/// A check that was not possible, or whose solve failed.
VerificationCheck unmeasured_check(std::string kind, VerificationCheck::Outcome outcome, std::string reason);

/// All checks of an optimum, and the verdict.
struct Verification {
  ClaimedGain claimed;
  double survive = 0.5;  // required share of the gain
  std::vector<VerificationCheck> checks{};
  double violation = 0.1;  // largest accepted violation of a constraint, in its scale

  /// The smallest share of all checks; 0 if one failed; NaN if every check is undecided.
  double survives() const;
  /// Whether some check was asked for.
  bool asked() const;
  /// Whether at least `survive` is left, constraints hold up to `violation`, and no fitted parameter leaves its interval. False if every
  /// check is undecided. Of the checks that were asked for; true if there are none.
  bool passed() const;
  std::string verdict() const;

 private:
  bool breaks_constraints(const VerificationCheck& check) const;
};

}  // namespace invar
