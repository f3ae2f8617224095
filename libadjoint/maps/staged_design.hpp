#pragma once
#include <string>

namespace invar {

/// A part of a design that changes during a search, as a density does that begins grey and ends black and white. Each
/// stage begins where the one before ended. A functional that keeps its last solution must forget it when a stage
/// begins.
class StagedDesign {
 public:
  virtual ~StagedDesign() = default;
  virtual int stage_count() const = 0;           // ≥ 1
  /// Most accepted steps of the search in a stage.
  virtual int iterations_in(int stage) const = 0;
  /// What is peculiar to a stage, for reports: "steepness 8, convexity 0.1".
  virtual std::string stage_text(int stage) const = 0;
  /// Takes effect at the next `apply`.
  virtual void begin_stage(int stage) = 0;
};

}  // namespace invar
