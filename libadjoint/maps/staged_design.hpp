#pragma once
#include <string>

namespace invar {

/// A design whose parameters change in stages of a search (continuation), for example a density with increasing
/// projection. Each stage starts from the result of the previous one. A functional must discard its cached solution
/// when a stage begins.
class StagedDesign {
 public:
  virtual ~StagedDesign() = default;
  virtual int stage_count() const = 0;           // ≥ 1
  /// Largest number of accepted steps in a stage.
  virtual int iterations_in(int stage) const = 0;
  /// The stage and its parameters, for reports: "stage 2: steepness 8, convexity 0.1".
  virtual std::string stage_text(int stage) const = 0;
  /// Selects a stage; takes effect at the next `apply`.
  virtual void begin_stage(int stage) = 0;
};

}  // namespace invar
