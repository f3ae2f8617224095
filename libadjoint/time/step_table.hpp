#pragma once
#include <optional>
#include <vector>

#include "libadjoint/level.hpp"

namespace invar {

/// A linear combination of the unknown x of a step and the history vectors h_j that the step starts from.
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

/// What a step makes of one kind of unknown.
struct StepRows {
  PerLevel<StepRow> equation;    // y_k, the levels that the equation reads
  std::vector<StepRow> history;  // h'_i, the history of the next step
  PerLevel<StepRow> observed;    // the levels that observables read: where the equation balances, or at the end
};

/// Kinds of unknowns, as `Evolution::algebraic_unknowns` tells them apart: those with a rate; those without
/// (pressures); potentials, whose gradient makes the velocity of a pressure correction solenoidal; multipliers, which in
/// steps are as those without a rate, and where a process begins are found with the accelerations. `StepResidual` tells
/// those that constraints hold from the rest where a scheme has rows for them.
enum class UnknownKind : char { evolving, algebraic, potential, multiplier, held };

/// One time step, or one stage of it: x solves r(y₀, y₁, …; t) = 0 with levels y_k made of x and the history h.
/// Marches, their tangents and their adjoints use a scheme through this table only. Its own rows are of unknowns with a
/// rate. The weight of x in a level is the same for all kinds of which the equation reads that level, but for those that are
/// held: their columns are in no matrix.
struct StepTable : StepRows {
  StepRows algebraic, potential;
  std::optional<StepRows> held = {};  // of unknowns with a rate that constraints hold; empty: as all others
  double time = 0;               // of loads and coefficients, s
  double length = 0;             // of the step, s
  double end = 0;                // of the step or stage, s; constraints hold there
  bool starts = false;           // x is the initial acceleration; constraints set it to that of what they prescribe,
  double following = 0;          // which takes the length of the first step, s
  bool completes = true;         // the last stage of its step
};

}  // namespace invar
