#include "libfem/solid/integral_library.hpp"

#include "libfem/solid/displacement_measures.hpp"

namespace invar {

std::span<const SolidIntegral> solid_integrals() {
  static const SolidIntegral integrals[] = {
      {{.name = "enclosed_volume",
        .doc = "Solid: deformed volume enclosed by the facets around a cavity; per unit depth in the plane. If the cavity is open, e.g. at a plane of symmetry, the opening must lie in planes y = constant or z = constant, or in x = 0 (axisymmetric: y = constant)."},
       [](SolidKind kind, CellBatches facets) { return make_deformed_volume(kind, 0, std::move(facets)); }},
  };
  return integrals;
}

}  // namespace invar
