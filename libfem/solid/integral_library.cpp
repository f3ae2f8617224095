#include "libfem/solid/integral_library.hpp"

#include "libfem/solid/displacement_measures.hpp"

namespace invar {

std::span<const SolidIntegral> solid_integrals() {
  static const SolidIntegral integrals[] = {
      {{.name = "enclosed_volume",
        .doc = "Solid: deformed volume enclosed by the facets around a cavity; per unit depth in the plane. If the cavity is open, e.g. at a plane of symmetry, it is closed by planes x, y or z = constant through the ends of the facets (axisymmetric: y = constant, a groove by x = constant), which stay in these planes."},
       &make_deformed_volume},
  };
  return integrals;
}

}  // namespace invar
