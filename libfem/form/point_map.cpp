#include "libfem/form/point_map.hpp"

namespace invar {

INVAR_POINT_MAPS(, Pack)
INVAR_POINT_MAPS(, PackTangent)

}  // namespace invar
