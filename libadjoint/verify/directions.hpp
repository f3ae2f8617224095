#pragma once
#include <cstdint>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Directions to probe a functional along from θ. Entries are of the size of their variable,
/// max(|θ_i|, 1) or half its range if that is less, so that a step h is a relative one; every point
/// θ + h·d with 0 ≤ h ≤ `reach` lies within the bounds. Collective where it says so.
class Directions {
 public:
  Directions(const ReducedFunctional& functional, const DesignVector& theta, double reach = 0.1);

  /// Entries of random sign and of 0.5 to 1 times their size. The seed decides; local entries
  /// depend on the number of ranks.
  DesignVector random(std::uint64_t seed) const;
  /// The gradient in variables divided by their size, its largest entry of size one; entries that
  /// would leave the bounds are cut. Downhill where the bounds leave more room there. Collective.
  DesignVector along(const DesignVector& gradient) const;
  /// Size of every entry.
  const DesignVector& sizes() const { return sizes_; }

 private:
  DesignVector cut(const DesignVector& direction) const;

  MPI_Comm comm_;
  double reach_;
  DesignVector sizes_, room_up_, room_down_;  // room: greatest entry of d up (down) from θ
};

/// θ + h·d
DesignVector moved(const DesignVector& theta, double h, const DesignVector& d);

}  // namespace invar
