#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/problem/quantity_entries.hpp"

namespace invar {
namespace {

SolidQuantityCase bodies_of_quantities(const FsiCase& fsi, const CaseModel& model) {
  SolidQuantityCase c;
  c.kind = fsi.solid_kind();
  c.displacement = FsiComponents{model.mesh->dim}.d();
  describe_bodies(fsi.bodies, fsi.muscles, model, c);
  return c;
}

}  // namespace

std::optional<std::shared_ptr<Observable>> FsiCase::quantity(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics) const {
  if (auto of_bodies = make_quantity(body_quantities(), bodies_of_quantities(*this, model), model, record, diagnostics)) return of_bodies;
  FsiQuantityCase c;
  c.kind = kind;
  c.degree = degree;
  c.forms = forms;
  c.tied = rigid_surfaces;
  c.fluid = fluid.region;
  c.scalar = model.component(flow_component::scalar);
  return make_quantity(fsi_quantities(), std::move(c), model, record, diagnostics);
}

Measurement FsiCase::measurement(CaseModel& model, const spec::Value& record, double time, Diagnostics& diagnostics) const {
  SolidQuantityCase c = bodies_of_quantities(*this, model);
  c.time = time;
  return make_quantity(body_reports(), std::move(c), model, record, diagnostics).value_or(Measurement{});
}

}  // namespace invar
