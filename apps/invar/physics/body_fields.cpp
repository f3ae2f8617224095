#include "apps/invar/physics/body_fields.hpp"

namespace invar {

SolidFields fields_of_bodies(std::span<const MaterialPart> parts, std::span<const AddedStress> muscles, FormResidual& residual, const EvaluationPoint& state,
                             const std::shared_ptr<const DofMap>& dofs, const double* u, const double* rate, SolidKind kind, bool mixed) {
  const VecHandle memory = state.memory ? residual.create_memory() : VecHandle();
  const double* history = nullptr;
  if (memory) {
    residual.update_memory(state, memory);
    check(VecGetArrayRead(memory, &history));
  }
  std::vector<SolidFields::Body> bodies;
  for (const MaterialPart& part : parts) {
    SolidFields::Body body{part.region, part.material.get(), residual.form_coefficients(part.form, state.given), part.unreduced.get()};
    if (memory && part.plastic_form >= 0) body.plastic = history + residual.first_memory(part.plastic_form);
    if (memory && part.viscous_form >= 0) body.viscous = history + residual.first_memory(part.viscous_form);
    const auto add = [&](const AddedStress& added, const Region* cells) {
      body.added.push_back({added.kind == AddedStress::Kind::viscous, residual.form_coefficients(added.form, state.given), cells});
    };
    for (const AddedStress& viscosity : part.viscosity) add(viscosity, nullptr);
    for (const AddedStress& muscle : muscles) add(muscle, muscle.region.empty() ? nullptr : dofs->mesh().find_region(muscle.region));
    body.rate = rate;
    body.branches = part.branches;
    body.degree = part.degree;
    bodies.push_back(std::move(body));
  }
  SolidFields fields = SolidFields::evaluate(dofs, u, residual.coordinates(state.given).data(), kind, mixed, bodies);
  if (memory) check(VecRestoreArrayRead(memory, &history));
  return fields;
}

}  // namespace invar
