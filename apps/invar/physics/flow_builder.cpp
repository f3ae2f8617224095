#include "apps/invar/physics/flow_builder.hpp"

#include <algorithm>
#include <iterator>

#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/flow_domains.hpp"
#include "apps/invar/physics/flow_case_builder.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/grad_div.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/pseudo_mass_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/solve/corrected_flow.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"

namespace invar {

using spec::Value;

namespace {

FlowKind flow_kind_of(const std::string& word) {
  if (word == "planar") return FlowKind::planar;
  return word == "axisymmetric" ? FlowKind::axisymmetric : FlowKind::spatial;
}

bool is_viscosity(std::string_view key) { return key.starts_with("viscosity") || key == "consistency"; }

}  // namespace

void FlowBuilder::fluid(const Value& m) {
  const std::optional<std::string> region = region_of(m, model_.mesh->dim);
  if (!region) return;
  const std::string path = "materials." + m.key;
  FluidPart part{.name = m.key, .region = *region, .law_name = m["model"].text(), .law = {}, .constants = {}, .resistance = {}, .diffusivity = {}, .turbulence = {}};
  part.law = make_viscosity_law(part.law_name);
  for (const ParamSpec& p : flow_law_parameters(part.law_name)) {
    const int control = constant(m, path, p, p.default_value);
    if (is_viscosity(p.key)) viscosities_.push_back(control);
    part.constants.push_back({control, {}});
  }
  part.resistance = {constant(m, path, resistance_parameter, 0.0), {}};
  if (flow_.scalar) part.diffusivity = {constant(m, path, diffusivity_parameter, std::nullopt), {}};
  else if (const Value* given = m.find(diffusivity_parameter.key)) check_carries(flow_.scalar, *given, diagnostics_);
  if (flow_.turbulent) turbulence_.constants(m, path, part);
  else turbulence_.refuse_constants(m);
  flow_.parts.push_back(std::move(part));
}

void FlowBuilder::fluids() {
  const std::size_t before = diagnostics_.size();
  for (const Value& m : *sections_.find("materials")) fluid(m);
  std::vector<std::string> regions;
  for (const FluidPart& part : flow_.parts) regions.push_back(part.region);
  if (diagnostics_.size() == before) check_covered(regions);
}

bool FlowBuilder::viscosity_varies() const {
  if (flow_.turbulent) return true;
  const std::vector<FluidPart>& parts = flow_.parts;
  const auto viscosity = [&](const FluidPart& part) { return residual_.control_values()[part.constants[1].control][0]; };
  const auto differs = [&](const FluidPart& part) { return part.law.kind != ViscosityLaw::Kind::newtonian || viscosity(part) != viscosity(parts[0]); };
  if (std::ranges::any_of(parts, differs)) return true;
  const Value* designs = sections_.top->find("design");
  return designs && std::ranges::any_of(*designs, [&](const Value& design) {
    const Value* variable = design.find("variable");
    return variable && variable->text().ends_with(".viscosity") && (parts.size() > 1 || design["kind"].text().ends_with("field"));
  });
}

void FlowBuilder::choose_viscous_term(const Value& given) {
  const bool varies = viscosity_varies();
  const Value* loads = sections_.find("loads");
  const bool slips = loads && std::ranges::any_of(*loads, [](const Value& load) { return load["type"].text() == "slip"; });
  flow_.stress_form = given.text() == "stress" || varies || (given.text() == "auto" && slips);
  if (varies && given.text() == "gradient")
    diagnostics_.error(given.position, given.yaml_path, "'gradient' is for a constant viscosity, and the viscosity of this flow varies", "use 'stress' or 'auto'");
}

void FlowBuilder::choose_grad_div(const Value& given) {
  if (flow_.discretisation != FlowDiscretisation::taylor_hood) return;
  if (given.is_number()) {
    flow_.grad_div = given.number();
    return;
  }
  if (flow_.kind != FlowKind::spatial || !flow_.convection || model_.march) return;
  double density = 0;
  for (const FluidPart& part : flow_.parts)
    density = std::max(density, residual_.control_values()[part.constants[0].control][0]);
  flow_.grad_div = suggested_grad_div(residual_, density, model_.times.empty() ? 1.0 : model_.times.back());
}

void FlowBuilder::add_equations(const Value& physics) {
  const int dim = model_.mesh->dim;
  for (FluidPart& part : flow_.parts) {
    std::vector<ControlledValue> values = part.constants;
    const int first_force = static_cast<int>(values.size());
    std::ranges::copy(volume_load(part, "body_force", dim), std::back_inserter(values));
    values.push_back(part.resistance);
    if (flow_.turbulent) values.push_back(TurbulenceBuilder::eddy_damping(part));
    for (CellBatches& cells : fluid_domains(flow_, model_, part, flow_.discretisation == FlowDiscretisation::equal_order)) {
      const FlowModel equations = flow_.model(part);
      residual_.add_form(flow_.splits ? make_corrected_momentum(flow_.kind, equations, std::move(cells))
                                      : make_navier_stokes(flow_.kind, flow_.discretisation, equations, std::move(cells)),
                         values,
                         {.name = "the flow of '" + part.name + "'",
                          .linear = flow_.is_linear(part, model_.march.has_value()),
                          .loads = numbers_to(first_force, first_force + dim)});
      ++part.form_count;
    }
  }
  if (model_.march) {
    std::vector<CorrectedFlow::Convection> carried;
    for (const FluidPart& part : flow_.parts) {
      if (flow_.discretisation == FlowDiscretisation::equal_order) {
        add_stabilised_inertia(part);
        continue;
      }
      const auto cells = [&] { return CellBatches::on_cells(model_.dofs, part.region, flow_.degree); };
      residual_.add_form(make_flow_inertia(flow_.kind, cells()), {part.constants[0]}, {.linear = true});
      if (flow_.splits) correction_.add(part);
      if (flow_.linearised && flow_.convection)
        carried.push_back({residual_.add_form(make_linearised_convection(flow_.kind, cells()), {part.constants[0]}), part.region, flow_.degree});
    }
    residual_.set_algebraic({model_.component(flow_component::pressure)});
    if (flow_.splits) residual_.set_potential(model_.component(flow_component::potential));
    const std::string& method = (*sections_.top)["solver"]["linear"].text();
    if (auto* corrected = dynamic_cast<CorrectedFlow*>(&residual_); corrected && !sections_.has_ties() && !flow_.stress_form && flow_.grad_div == 0 && (method == "auto" || method == "block_triangular"))
      corrected->solve_by_blocks(flow_.kind, std::move(carried), model_.component(flow_component::pressure), model_.component(flow_component::potential));
  }
  if (flow_.scalar) carry_scalar();
  if (flow_.turbulent) turbulence_.transport(physics, flow_);
  if (flow_.convection && (!model_.march || model_.march->from_equilibrium)) follow_in_pseudo_time();
  residual_.set_continuation_controls(viscosities_);
}

void FlowBuilder::add_stabilised_inertia(const FluidPart& part) {
  std::vector<ControlledValue> values = part.constants;
  values.push_back(part.resistance);
  if (flow_.turbulent) values.push_back(TurbulenceBuilder::eddy_damping(part));
  for (CellBatches& cells : fluid_domains(flow_, model_, part, true))
    residual_.add_form(make_stabilised_inertia(flow_.kind, flow_.model(part), std::move(cells)), values);
}

void FlowBuilder::carry_scalar() {
  const ScalarTransport transport = !model_.march      ? ScalarTransport::steady
                                    : flow_.linearised ? ScalarTransport::linearised
                                                       : ScalarTransport::implicit;
  for (const FluidPart& part : flow_.parts) {
    const ControlledValue rate = volume_load(part, "source", 1)[0];
    for (CellBatches& cells : fluid_domains(flow_, model_, part, true))
      residual_.add_form(make_passive_scalar(flow_.kind, transport, std::move(cells)), {part.diffusivity, rate});
  }
}

void FlowBuilder::follow_in_pseudo_time() {
  for (const FluidPart& part : flow_.parts) {
    std::vector<ControlledValue> values = part.constants;
    if (flow_.turbulent) std::ranges::copy(TurbulenceBuilder::of_pseudo_mass(part), std::back_inserter(values));
    for (CellBatches& cells : fluid_domains(flow_, model_, part, true))
      residual_.add_pseudo_time(make_flow_pseudo_mass(flow_.kind, flow_.model(part), std::move(cells)), values);
  }
}

void build_flow(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  const int dim = model.mesh->dim;
  auto owned = std::make_unique<FlowCase>();
  FlowCase& flow = *owned;
  model.physics = std::move(owned);
  flow.kind = flow_kind_of(physics["kind"].text());
  flow.discretisation = order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order;
  flow.convection = physics["equations"].text() == "navier_stokes";
  flow.splits = model.march && model.march->scheme.corrects_pressure();
  flow.linearised = model.march && (model.march->linearised || flow.splits);
  flow.scalar = physics["scalar"].boolean();
  flow.turbulent = physics["turbulence"].text() == "spalart_allmaras";
  if (!check_flow(sections, dim, flow, diagnostics)) return;
  choose_quadrature(*model.mesh, flow);
  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + "xyz"[i], order});
  components.push_back({"p", 1});
  if (flow.scalar) components.push_back({"c", 1});
  if (flow.turbulent) components.push_back({"chi", 1});
  if (flow.splits) components.push_back({"phi", 1});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = flow.splits ? std::make_shared<CorrectedFlow>(model.dofs) : std::make_shared<FormResidual>(model.dofs);
  const std::size_t before = diagnostics.size();
  FlowBuilder builder(flow, model, sections, diagnostics);
  builder.fluids();
  const bool known = diagnostics.size() == before;
  if (known) builder.choose_viscous_term(physics["viscous_term"]);
  builder.boundary();
  if (diagnostics.size() == before) builder.choose_grad_div(physics["grad_div"]);
  if (known) builder.add_equations(physics);
  builder.loads();
  builder.hold_potential();
  builder.initial();
  if (diagnostics.size() != before) return;
  model.residual->set_node_blocks(flow.discretisation == FlowDiscretisation::equal_order);
  model.residual->finish();
  builder.require_pressure_level();
  builder.check_loads();
}

}  // namespace invar
