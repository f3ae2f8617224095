#include "libfem/design/entry/quantity_library.hpp"

#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/field_roughness.hpp"
#include "libfem/design/field/nodal_penalty.hpp"

namespace invar {
namespace {

std::shared_ptr<Observable> make_roughness(const QuantityCase& c, const EntryValues&, EntryMistakes&) {
  if (!c.field) return std::make_shared<NodalPenalty>(c.residual, c.control, NodalPenalty::Of::roughness, c.axisymmetric);
  return std::make_shared<FieldRoughness>(c.residual, c.field->control, c.field->transform, c.field->region, c.axisymmetric);
}

}  // namespace

QuantityEntry<QuantityCase> roughness_quantity() {
  return {.name = "roughness",
          .doc = "½ ∫ |∇q|² of a material's constant that is designed as a field, q its logarithm, or with a linear scale its ratio to the "
                 "start; of an initial field ½ ∫ |∇u|²: keeps ill-posed fields smooth.",
          .parameters = {{.key = "variable",
                          .kind = EntryParameter::Kind::designed_field,
                          .doc = "as in 'design'; initial.velocity where the kind is initial_field"}},
          .make = &make_roughness};
}

std::span<const QuantityEntry<QuantityCase>> common_quantities() {
  static const QuantityEntry<QuantityCase> entries[] = {volume_quantity(),    distance_quantity(), centroid_quantity(), position_quantity(),
                                                        roughness_quantity(), point_quantity(),    actuation_quantity(), number_quantity(),
                                                        thickness_quantity(), nose_radius_quantity()};
  return entries;
}

}  // namespace invar
