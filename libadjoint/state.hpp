#pragma once
#include <cstddef>

#include "libadjoint/level.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

/// A state of a system in time as its equation sees it, or a direction of one, or where derivatives
/// with respect to one are added. nullptr: zero, or not wanted. A vector alone is a state at rest.
struct State {
  Vec unknown = nullptr;  // what is solved for, and what constraints hold
  PerLevel<Vec> levels;
  Vec memory = nullptr;  // what the step began with beside the unknown (`HistoryVariables`)

  State() = default;
  State(Vec u) : unknown(u), levels(u) {}        // NOLINT
  State(const VecHandle& u) : State(u.get()) {}  // NOLINT
  State(std::nullptr_t) {}                       // NOLINT
  /// The value, for what reads nothing else.
  operator Vec() const { return levels[Level::value]; }  // NOLINT

  bool any() const {
    for (Vec v : levels.entries)
      if (v) return true;
    return unknown || memory;
  }
};

}  // namespace invar
