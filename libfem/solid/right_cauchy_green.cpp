#include "libfem/solid/right_cauchy_green.hpp"

namespace invar {

template struct RightCauchyGreen<Pack>;
template struct RightCauchyGreen<Dual<Pack, 1>>;

}  // namespace invar
