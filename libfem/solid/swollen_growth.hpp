#pragma once
#include "libfem/math/host_device.hpp"

namespace invar {

/// Stress-free relative growth of volume for a linear swelling s: (1 + s)³ − 1, at small strains 3 s.
template <class T>
INVAR_HD T swollen_growth(const T& s, bool finite_strain) {
  return finite_strain ? T(s * (3.0 + s * (3.0 + s))) : T(3.0 * s);
}

}  // namespace invar
