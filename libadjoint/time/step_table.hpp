#pragma once
#include <vector>

#include "libadjoint/level.hpp"

namespace invar {

/// A linear combination of what a step solves for, x, and the history h_j that it starts from.
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

/// One step in time (or one stage of it): from the history h and the equation r(y₀, y₁, …; t) = 0 for x.
/// All that a march, its tangent and its adjoint know of a scheme.
struct StepTable {
  PerLevel<StepRow> equation;    // y_k, what the equation reads of each level
  std::vector<StepRow> history;  // h'_i, the history of the step after
  PerLevel<StepRow> observed;    // the levels that observers read at its end: as the equation balances, or true to the end
  double time = 0;               // at which loads and coefficients are taken, s
  double length = 0;             // of the step, s
  double end = 0;                // of the step or stage, s: constraints hold x at it
  bool starts = false;           // x is the acceleration that the initial state has: constraints hold it at zero
  bool completes = true;         // the last stage of its step
};

}  // namespace invar
