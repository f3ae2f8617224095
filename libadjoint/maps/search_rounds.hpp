#pragma once
#include <string>

#include "libadjoint/maps/staged_design.hpp"

namespace invar {

/// A search that runs several times, each time from its last result. The design stays as it is; what changes between the rounds are adaptive
/// parameters of the objective (`AdaptiveParameters`), such as the multipliers of an augmented Lagrangian.
class SearchRounds final : public StagedDesign {
 public:
  SearchRounds(int rounds, int iterations) : rounds_(rounds), iterations_(iterations) {}
  int stage_count() const override { return rounds_; }
  int iterations_in(int) const override { return iterations_; }
  std::string stage_text(int round) const override { return "round " + std::to_string(round + 1) + " of " + std::to_string(rounds_); }
  void begin_stage(int) override {}

 private:
  int rounds_, iterations_;
};

}  // namespace invar
