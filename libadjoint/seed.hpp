#pragma once
#include "libadjoint/controls.hpp"

namespace invar {

struct ProcessTerm;

/// One scalar that a reverse sweep differentiates, and where its gradient goes. Both pointees must outlive the sweep.
struct Seed {
  const ProcessTerm* term = nullptr;  // null: the objective J of the case
  Controls* d_bar = nullptr;          // += gradient, where entries are not empty (shared entries: this rank's share)
};

}  // namespace invar
