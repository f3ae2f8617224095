#pragma once
#include <cstdint>

#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

struct MultiStartOptions {
  int starts = 8;          // the given start included
  std::uint64_t seed = 1;  // the same seed gives the same starts, on any number of ranks
  /// Ranges of the shared variables to draw from, in optimiser coordinates; empty: their bounds.
  std::vector<double> lower{}, upper{};
  std::vector<OptimizerResult> done{};  // of the first starts, which have run before
  /// Called on every rank with what came of each start, in their order; not for those done before.
  std::function<void(const OptimizerResult&)> on_result{};
};

struct MultiStartResult {
  OptimizerResult best;                 // the lowest feasible value, else the least violation; of
                                        // the first start when none could be evaluated
  int best_start = 0;                   // which of the starts it came from
  std::vector<DesignVector> starts;     // the given one first
  std::vector<OptimizerResult> results; // one per start; one that failed has the value NaN
};

/// Runs the optimiser from the given start and from a Latin hypercube of the shared variables
/// (every variable's range is cut in equal slices, each used once); local entries keep the given
/// start. A start that cannot be evaluated is recorded and passed over. A run that was stopped goes on
/// with the results `done` and an optimiser restored to the start under way. Throws
/// std::invalid_argument when a variable has neither finite bounds nor a range.
MultiStartResult multi_start(Optimizer& optimizer, ReducedFunctional& functional,
                             const DesignVector& start, const MultiStartOptions& options = {});

}  // namespace invar
