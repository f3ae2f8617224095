#pragma once
#include "libadjoint/capabilities.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

/// Moves x back on the straight line from `before` to the largest admissible step (`StepLimit`).
template <class PointAt>
void stop_at_contact(StepLimit& limit, PointAt point, Vec before, Vec x) {
  constexpr int parts = 4;  // iterations; each covers nine tenths of the remaining distance
  VecHandle change = zeros_like(x);
  check(VecWAXPY(change, -1.0, before, x));
  check(VecCopy(before, x));
  for (int k = 0; k < parts; ++k) {
    const double part = limit.longest_step(point(x), change);
    check(VecAXPY(x, part, change));
    check(VecScale(change, 1 - part));
  }
}

}  // namespace invar
