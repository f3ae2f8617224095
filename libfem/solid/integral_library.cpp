#include "libfem/solid/integral_library.hpp"

#include "libfem/solid/displacement_measures.hpp"

namespace invar {

std::span<const SolidIntegral> solid_integrals() {
  static const SolidIntegral integrals[] = {
      {{.name = "enclosed_volume",
        .doc = "Solid: volume that facets around a cavity enclose, deformed; per unit depth in the plane. Where the cavity is open, the "
               "opening must lie in a coordinate plane through the origin: half a cavity at a plane of symmetry."},
       // By the flux of one coordinate, which is as good as another but for an axisymmetric body.
       [](SolidKind kind, CellBatches facets) {
         return make_deformed_volume(kind, kind == SolidKind::axisymmetric ? 1 : 0, std::move(facets));
       }},
  };
  return integrals;
}

}  // namespace invar
