#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfluid/objective/flow_integral_library.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"

namespace invar {
namespace {

using spec::Value;

FlowQuantityCase flow_quantity_case(FlowCase& flow, const CaseModel& model) {
  FlowQuantityCase c;
  c.dofs = model.dofs;
  c.residual = model.residual;
  c.axisymmetric = flow.axisymmetric();
  c.kind = flow.kind;
  c.discretisation = flow.discretisation;
  c.stress_form = flow.stress_form;
  c.degree = flow.degree;
  c.facet_degree = flow.facet_degree;
  int form = 0;  // the fluids' equations come first, one form for each kind of cell
  for (const FluidPart& part : flow.parts) {
    c.fluids.push_back({part.region, part.law, part.constants[0], {part.constants.begin() + 1, part.constants.end()}, part.resistance, {}, form});
    if (flow.turbulent) c.fluids.back().eddy_damping = part.turbulence[1 + SpalartAllmarasConstants::cv1];
    form += part.form_count;
  }
  c.walls = flow.walls;
  c.pressure = model.component(flow_component::pressure);
  c.scalar = model.component(flow_component::scalar);
  c.density_field = model.control_named(density_control);
  c.read_viscosity_on_facets = [&flow] { flow.viscosity_on_facets = true; };
  c.read_density_on_facets = [&flow] { flow.density_on_facets = true; };
  return c;
}

class FlowIntegralBuilder : QuantityBuilder {
 public:
  FlowIntegralBuilder(const FlowCase& flow, CaseModel& model, const Value& record, Diagnostics& diagnostics)
      : QuantityBuilder(model, record, diagnostics), flow_(flow) {}

  Scalar build(const FlowIntegral& term) {
    if (term.of_scalar && model_.component(flow_component::scalar) < 0) {
      diagnostics_.error(record_.position, record_.yaml_path, "this flow has no passive scalar", "set 'scalar: true' in 'physics'");
      return nullptr;
    }
    const std::optional<std::vector<ControlledValue>> values = fixed_coefficients(term);
    if (!values || !has_domain(term)) return nullptr;
    const bool volume = term.domain == TermSpec::Domain::cells, round = flow_.axisymmetric();
    const auto facets = [&] { return CellBatches::on_facets(model_.dofs, record_["region"].text(), flow_.facet_degree); };
    const Scalar amount = integral(term.make(flow_.kind, flow_.discretisation, volume ? cells() : facets()), *values);
    if (!term.mean) return amount;
    return make_quotient(amount, integral(volume ? make_volume(round, cells()) : make_area(round, facets())));
  }

 private:
  const FlowCase& flow_;
};

}  // namespace

std::optional<std::shared_ptr<Observable>> FlowCase::quantity(CaseModel& model, const Value& record,
                                                              Diagnostics& diagnostics) const {
  if (const FlowIntegral* term = find_term(flow_integrals(), record["type"].text()))
    return model.observed(FlowIntegralBuilder(*this, model, record, diagnostics).build(*term));
  return make_quantity(flow_quantities(), flow_quantity_case(*model.as<FlowCase>(), model), model, record, diagnostics);
}

Measurement FlowCase::measurement(CaseModel& model, const Value& record, double time, Diagnostics& diagnostics) const {
  FlowQuantityCase c = flow_quantity_case(*model.as<FlowCase>(), model);
  c.time = time;
  return make_quantity(flow_reports(), std::move(c), model, record, diagnostics).value_or(Measurement{});
}

}  // namespace invar
