#pragma once
#include "libfem/math/host_device.hpp"

namespace invar {

/// How much larger the volume of a body that swells by s is without stress: (1 + s)³ − 1, at small strains 3 s.
template <class T>
INVAR_HD T swollen_growth(const T& s, bool finite_strain) {
  return finite_strain ? T(s * (3.0 + s * (3.0 + s))) : T(3.0 * s);
}

}  // namespace invar
