#pragma once
#include <cstddef>

#include "libadjoint/level.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

/// A state as its equation reads it, or a direction, or a destination of derivatives. nullptr: zero, or not wanted. A
/// single vector is a state without rates.
struct State {
  Vec unknown = nullptr;  // the solved unknowns, to which constraints apply
  PerLevel<Vec> levels;
  Vec memory = nullptr;  // history variables at the beginning of the step (`HistoryVariables`)

  State() = default;
  State(Vec u) : unknown(u), levels(u) {}        // NOLINT
  State(const VecHandle& u) : State(u.get()) {}  // NOLINT
  State(std::nullptr_t) {}                       // NOLINT
  /// The value, for code that reads no other level.
  operator Vec() const { return levels[Level::value]; }  // NOLINT

  bool any() const {
    for (Vec v : levels.entries)
      if (v) return true;
    return unknown || memory;
  }
};

}  // namespace invar
