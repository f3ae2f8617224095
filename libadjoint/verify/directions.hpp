#pragma once
#include <cstdint>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Test directions at θ. Entries have the size of their variable, max(|θ_i|, 1) or half its range if that is less, so
/// that a step h is relative. All points θ + h·d with 0 ≤ h ≤ `reach` are within the bounds.
class Directions {
 public:
  Directions(const ReducedFunctional& functional, const DesignVector& theta, double reach = 0.1);

  /// Entries with random sign and 0.5 to 1 times their size, reproducible by the seed; local entries also depend on the
  /// number of ranks.
  DesignVector random(std::uint64_t seed) const;
  /// The gradient with respect to variables divided by their size, normalised to a largest entry of one. Entries that
  /// would leave the bounds are shortened. The sign is chosen for more room within the bounds. Collective.
  DesignVector along(const DesignVector& gradient) const;
  /// Size of every entry.
  const DesignVector& sizes() const { return sizes_; }

 private:
  DesignVector cut(const DesignVector& direction) const;

  MPI_Comm comm_;
  double reach_;
  DesignVector sizes_, room_up_, room_down_;  // room: largest entry of d upwards (downwards) from θ
};

/// θ + h·d
DesignVector moved(const DesignVector& theta, double h, const DesignVector& d);

}  // namespace invar
