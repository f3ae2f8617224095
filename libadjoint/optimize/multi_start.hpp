#pragma once
#include <cstdint>

#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

struct MultiStartOptions {
  int starts = 8;          // including the given start
  std::uint64_t seed = 1;  // the same seed gives the same starts, on any number of ranks
  /// Ranges of the shared variables for the random starts, in optimiser coordinates; empty: their bounds.
  std::vector<double> lower{}, upper{};
  std::vector<OptimizerResult> done{};  // results of the first starts, from an earlier run
  /// Called on every rank with the result of each start, in order; not for those in `done`.
  std::function<void(const OptimizerResult&)> on_result{};
};

struct MultiStartResult {
  OptimizerResult best;                 // the lowest feasible value, else the smallest violation;
                                        // the first start's if none could be evaluated
  int best_start = 0;                   // index of the start that led to it
  std::vector<DesignVector> starts;     // the given one first
  std::vector<OptimizerResult> results; // one per start; the value is NaN after a failure
};

/// Runs the optimiser from the given start and from a Latin hypercube of the shared variables; local entries keep the
/// given start. A start that cannot be evaluated is recorded and skipped. To resume a stopped run, pass the results
/// `done` and an optimiser restored to the state of the interrupted start. Throws std::invalid_argument if a variable
/// has neither finite bounds nor a range.
MultiStartResult multi_start(Optimizer& optimizer, ReducedFunctional& functional,
                             const DesignVector& start, const MultiStartOptions& options = {});

}  // namespace invar
