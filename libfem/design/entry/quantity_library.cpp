#include "libfem/design/entry/quantity_library.hpp"

#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/cell_penalty.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/design/field/nodal_penalty.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;

Scalar make_roughness(const QuantityCase& c, const EntryValues&, EntryMistakes&) {
  if (!c.field) return std::make_shared<NodalPenalty>(c.residual, c.control, NodalPenalty::Of::roughness, c.axisymmetric);
  return std::make_shared<CellPenalty>(c.residual, c.field->control, c.field->transform, 0.0, c.field->region, c.axisymmetric);
}

Scalar make_total_variation(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!c.field) {
    mistakes.add("variable", "the total variation needs a field with one value per cell", "for an initial field use 'roughness'");
    return nullptr;
  }
  return std::make_shared<CellPenalty>(c.residual, c.field->control, c.field->transform, 1 / v.number("width"), c.field->region, c.axisymmetric);
}

Scalar make_material_volume(const QuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  const int density = DesignCase::find_control(*c.residual, density_control);
  if (density < 0) {
    mistakes.add("", "'material_volume' needs a density in 'design'", "for the volume of the mesh use 'volume'");
    return nullptr;
  }
  return c.integral(make_coefficient_integral(c.dim(), c.axisymmetric, c.cells("all", 4)), {{density, {}}});
}

}  // namespace

QuantityEntry<QuantityCase> material_volume_quantity() {
  return {.name = "material_volume",
          .doc = "Volume of the material in the region of a designed density; per unit depth in the plane.",
          .make = &make_material_volume,
          .in_density = InDensity::affine};
}

QuantityEntry<QuantityCase> roughness_quantity() {
  return {.name = "roughness",
          .doc = "½ ∫ |∇q|² of a material's constant that is designed as a field, q its logarithm, or with a linear scale its ratio to the "
                 "start; of an initial field ½ ∫ |∇u|²: regularises ill-posed fields.",
          .parameters = {{.key = "variable",
                          .kind = EntryParameter::Kind::designed_field,
                          .doc = "as in 'design'; initial.velocity for an initial_field"}},
          .make = &make_roughness};
}

QuantityEntry<QuantityCase> total_variation_quantity() {
  return {.name = "total_variation",
          .doc = "∫ √(|∇q|² + 1/width²) − 1/width of a material's constant that is designed as a field, q as of 'roughness': isotropic total variation, the height of jumps times the length (in space the area) of their edges. Regularises ill-posed fields that are piecewise constant.",
          .parameters = {{.key = "variable", .kind = EntryParameter::Kind::designed_field, .doc = "as in 'design'"},
                         {.key = "width",
                          .unit = "m",
                          .doc = "smoothing length: gradients below 1/width are penalised quadratically; some tens of times the filter's radius",
                          .lower = 0,
                          .lower_open = true}},
          .make = &make_total_variation};
}

std::span<const QuantityEntry<QuantityCase>> common_quantities() {
  static const QuantityEntry<QuantityCase> entries[] = {volume_quantity(),    distance_quantity(), centroid_quantity(), position_quantity(),
                                                        roughness_quantity(), total_variation_quantity(), point_quantity(), actuation_quantity(), number_quantity(),
                                                        thickness_quantity(), nose_radius_quantity(), material_volume_quantity()};
  return entries;
}

std::span<const DataEntry<QuantityCase>> common_data() {
  static const DataEntry<QuantityCase> entries[] = {markers_data()};
  return entries;
}

}  // namespace invar
