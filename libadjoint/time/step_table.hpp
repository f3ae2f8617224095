#pragma once
#include <optional>
#include <vector>

#include "libadjoint/level.hpp"

namespace invar {

/// A linear combination of the unknown x of a step and the history vectors h_j.
struct StepRow {
  double unknown = 0;
  std::vector<double> history;  // missing entries are zero

  double of(std::size_t j) const { return j < history.size() ? history[j] : 0.0; }
  /// (factor) · this
  friend StepRow operator*(double factor, StepRow row) {
    row.unknown *= factor;
    for (double& h : row.history) h *= factor;
    return row;
  }
  friend StepRow operator+(StepRow a, const StepRow& b) {
    a.unknown += b.unknown;
    if (a.history.size() < b.history.size()) a.history.resize(b.history.size(), 0.0);
    for (std::size_t j = 0; j < b.history.size(); ++j) a.history[j] += b.history[j];
    return a;
  }
  friend StepRow operator-(const StepRow& a, const StepRow& b) { return a + (-1.0) * b; }
  bool operator==(const StepRow&) const = default;
};

/// Coefficients of a step for one kind of unknown.
struct StepRows {
  PerLevel<StepRow> equation;    // y_k, the levels read by the equation
  std::vector<StepRow> history;  // h'_i, the history of the next step
  PerLevel<StepRow> observed;    // the levels read by observables: at the time where the equation holds, or at the end of the step
};

/// Kinds of unknowns, as in `Evolution::algebraic_unknowns`: `evolving` have a rate; `algebraic` have none (pressures);
/// `potential`: its gradient makes the velocity of a pressure correction solenoidal; `multiplier`: algebraic in steps, but
/// initially found together with accelerations; `held`: constrained unknowns with a rate, which `StepResidual` treats
/// separately if a scheme has rows for them.
enum class UnknownKind : char { evolving, algebraic, potential, multiplier, held };
inline constexpr std::size_t unknown_kinds = static_cast<std::size_t>(UnknownKind::held) + 1;

/// One time step, or one stage of it: x solves r(y₀, y₁, …; t) = 0 with levels y_k that are linear in x and the history h.
/// Marches, tangents and adjoints use a scheme only through this table. The base class holds the rows of unknowns with a
/// rate. The coefficient of x in a level is the same for all kinds of unknowns for which the equation reads that level,
/// except for constrained ones, whose columns are in no matrix.
struct StepTable : StepRows {
  StepRows algebraic, potential;
  std::optional<StepRows> held = {};  // for constrained unknowns with a rate; empty: as for all others
  double time = 0;               // time of loads and coefficients, s
  double length = 0;             // length of the step, s
  double end = 0;                // end of the step or stage, s; constraints hold there
  bool starts = false;           // x is the initial acceleration; its constraints are accelerations of the prescribed values,
  double following = 0;          // computed with the length of the first step, s
  bool completes = true;         // last stage of its step
};

}  // namespace invar
