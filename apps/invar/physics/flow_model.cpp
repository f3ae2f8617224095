#include "apps/invar/physics/flow_model.hpp"

#include <algorithm>

#include "apps/invar/problem/case_model.hpp"
#include "libfluid/solve/flow_preconditioner.hpp"

namespace invar {

std::string FlowCase::region_of_material(const std::string& name) const {
  return std::ranges::find(parts, name, &FluidPart::name)->region;
}

void FlowCase::describe(DesignCase& c) const {
  c.is_flow = true;
  c.slip = slip;
  if (parts.size() == 1) c.resistance = parts[0].resistance.control;
}

std::string FlowCase::why_no_field(int control) const {
  if (viscosity_on_facets && parts[0].constants[1].control == control)
    return "the viscosity cannot be a field where a force with 'viscous_term: gradient' reads it";
  const bool read_by_facets = density_on_facets && parts[0].constants[0].control == control;
  return read_by_facets ? "the density cannot be a field where a load on facets (backflow) reads it, or a coefficient or a total pressure does" : "";
}

bool FlowCase::begins_on_linear_elements(const CaseModel&) const {
  return discretisation == FlowDiscretisation::taylor_hood && convection && !scalar;
}

std::shared_ptr<SaddlePoint> FlowCase::blocks(const CaseModel& model, bool only_if_they_pay) const {
  if (discretisation != FlowDiscretisation::taylor_hood || parts.size() != 1 || splits) return nullptr;
  if (only_if_they_pay && (scalar || kind != FlowKind::spatial || model.march)) return nullptr;
  FlowModel equations = this->model(parts[0]);
  equations.convection = convection;  // also if convection is a separate form
  return std::make_shared<FlowPreconditioner>(*model.residual, 0, kind, equations);
}

std::vector<FlowFields::Fluid> fluids_of(FormResidual& residual, const Setting& given, const std::vector<FluidPart>& parts) {
  std::vector<FlowFields::Fluid> fluids;
  int form = 0;  // the fluids' equations come first, one form for each kind of cell
  for (const FluidPart& part : parts) {
    fluids.push_back(fluid_at(residual, form, part.region, part.law, given));
    form += part.form_count;
  }
  return fluids;
}

}  // namespace invar
