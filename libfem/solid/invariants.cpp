#include "libfem/solid/invariants.hpp"

namespace invar {

template struct Invariants<Pack>;
template struct Invariants<Dual<Pack, 1>>;

}  // namespace invar
