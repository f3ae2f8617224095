#include "libfem/solid/integral_library.hpp"

#include "libfem/solid/displacement_measures.hpp"

namespace invar {

std::span<const SolidIntegral> solid_integrals() {
  static const SolidIntegral integrals[] = {
      {{.name = "enclosed_volume",
        .doc = "Solid: deformed volume enclosed by the facets around a cavity; per unit depth in the plane. If the cavity is open, the opening must lie in a coordinate plane through the origin, e.g. half a cavity at a plane of symmetry."},
       // By the flux of one coordinate; the choice matters for axisymmetric bodies only.
       [](SolidKind kind, CellBatches facets) {
         return make_deformed_volume(kind, kind == SolidKind::axisymmetric ? 1 : 0, std::move(facets));
       }},
  };
  return integrals;
}

}  // namespace invar
