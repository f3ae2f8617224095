#include "libfem/solid/green_strain.hpp"

namespace invar {

template struct GreenStrain<Pack>;
template struct GreenStrain<Dual<Pack, 1>>;

}  // namespace invar
