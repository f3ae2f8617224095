#pragma once
#include "libadjoint/controls.hpp"

namespace invar {

struct ProcessTerm;

/// One scalar to differentiate in a reverse sweep, and the destination of its gradient. Both pointees must outlive the
/// sweep.
struct Seed {
  const ProcessTerm* term = nullptr;  // null: the objective J of the case
  Controls* d_bar = nullptr;          // += gradient, for controls with entries (shared entries: this rank's share)
};

}  // namespace invar
