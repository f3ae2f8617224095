#include <algorithm>
#include <numeric>

#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/contact/contact_history.hpp"
#include "libfem/solid/integral_library.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/solid_quantities.hpp"

namespace invar {
namespace {

using spec::Value;

}  // namespace

void describe_bodies(std::span<const MaterialPart> bodies, std::span<const AddedStress> muscles, const CaseModel& model, SolidQuantityCase& c) {
  for (const MaterialPart& body : bodies) {
    SolidQuantityCase::Part& of = c.parts.emplace_back(SolidQuantityCase::Part{body.region, body.density, body.material});
    for (const int control : body.controls) of.constants.push_back({control, {}});
    of.form = body.form;
    of.compressible = body.unreduced != nullptr || c.kind != SolidKind::plane_stress;
    of.has_history = body.has_history();
    c.added.insert(c.added.end(), body.viscosity.begin(), body.viscosity.end());
    for (const DesignedField& field : model.fields)
      if (const auto found = std::ranges::find(body.controls, field.control); field.by_density && found != body.controls.end())
        of.distributed = {static_cast<int>(found - body.controls.begin()), field.value, {model.control_named(density_control), {}}};
  }
  c.added.insert(c.added.end(), muscles.begin(), muscles.end());
}

namespace {

SolidQuantityCase solid_quantity_case(const SolidModel& solid, const CaseModel& model) {
  SolidQuantityCase c;
  c.dofs = model.dofs;
  c.residual = model.residual;
  c.axisymmetric = solid.axisymmetric();
  c.kind = solid.kind;
  c.lumped_mass = solid.lumped;
  describe_bodies(solid.parts, solid.muscles, model, c);
  c.stored_energy_forms = solid.stored_energy_forms();
  c.dead_load_forms = solid.dead_load_forms;
  c.finds_loads = model.path.has_value();
  if (model.path) c.found_loads = model.path->scaled;
  return c;
}

class SolidIntegralBuilder : QuantityBuilder {
 public:
  SolidIntegralBuilder(CaseModel& model, const Value& record, Diagnostics& diagnostics) : QuantityBuilder(model, record, diagnostics) {}

  Scalar build(const SolidIntegral& term, SolidKind kind) {
    const std::optional<std::vector<ControlledValue>> values = fixed_coefficients(term);
    if (!values || !has_domain(term)) return nullptr;
    const CellBatches facets = CellBatches::on_facets(model_.dofs, record_["region"].text(), 6);
    try {
      return integral(term.make(kind, volume_axis(facets, kind == SolidKind::axisymmetric), facets), *values);
    } catch (const std::invalid_argument& e) {
      diagnostics_.error(record_["region"].position, record_["region"].yaml_path, e.what());
      return nullptr;
    }
  }
};

}  // namespace

ContactQuantityCase SolidModel::contact_case(const CaseModel& model) const {
  ContactQuantityCase c;
  c.dofs = model.dofs;
  c.residual = model.residual;
  c.axisymmetric = axisymmetric();
  c.in_time = model.march.has_value();
  c.pairs = contacts;
  return c;
}

std::vector<std::pair<std::string, Measurement>> SolidModel::step_numbers(CaseModel& model) const {
  return contact_step_numbers(contact_case(model));
}

std::string locking(const MaterialPart& part, int order, const EvaluationPoint& u) {
  std::vector<double> constants = part.constants;
  for (std::size_t k = 0; k < part.controls.size(); ++k)
    if (const std::vector<double>& v = u.controls()[part.controls[k]]; v.size() == 1) constants[k] = v[0];  // of a field its constant at the start
  const double ratio = volumetric_ratio(*part.material, constants);
  if (!(ratio > locking_ratio(order))) return {};
  return "material '" + part.name + "' is nearly incompressible (its bulk modulus is " + short_number(ratio) + " times its shear modulus), and elements of order " +
         std::to_string(order) + " in the formulation 'displacement' are too stiff for it: use 'formulation: mixed'";
}

/// The velocity at the first stage of sdirk2 is a difference of prescribed values over a part of the step, and parts too stiff for the step
/// follow it: their acceleration at the end of the step is then about five times that of the support.
std::vector<std::string> SolidModel::warnings(const CaseModel& model, const EvaluationPoint& state) const {
  std::vector<std::string> texts;
  if (!mixed && kind != SolidKind::plane_stress)
    for (const MaterialPart& part : parts)
      if (std::string text = locking(part, model.dofs->orders()[0], state); !text.empty()) texts.push_back("case '" + model.name + "': " + text);
  const bool has_inertia = std::ranges::any_of(parts, [](const MaterialPart& part) { return part.density.control >= 0; });
  const bool moves = std::ranges::any_of(model.residual->dirichlet_conditions(), [&](const DirichletCondition& c) { return model.residual->varies(c.value); });
  if (!model.march || model.march->scheme.stages() < 2 || !has_inertia || !moves) return texts;
  texts.push_back("case '" + model.name + "': with 'sdirk2' and supports that move, forces of parts whose periods are shorter than the step do not converge; use bdf2 or generalised_alpha");
  return texts;
}

std::vector<int> SolidModel::stored_energy_forms() const {
  if (std::ranges::any_of(parts, &MaterialPart::has_history)) return {};  // the laws' energies are those of the whole strain
  std::vector<int> forms(parts.size());
  std::iota(forms.begin(), forms.end(), 0);
  return forms;
}

std::optional<std::shared_ptr<Observable>> SolidModel::quantity(CaseModel& model, const Value& record,
                                                                Diagnostics& diagnostics) const {
  const std::string& type = record["type"].text();
  if (const SolidIntegral* term = find_term(solid_integrals(), type))
    return model.observed(SolidIntegralBuilder(model, record, diagnostics).build(*term, kind));
  const QuantityEntry<SolidQuantityCase> of_body = centre_of_mass_quantity();
  if (type == of_body.name && record["of"].text() == "body")
    return make_quantity(std::span<const QuantityEntry<SolidQuantityCase>>(&of_body, 1), solid_quantity_case(*this, model), model, record, diagnostics);
  if (auto of_contact = make_quantity(contact_quantities(), contact_case(model), model, record, diagnostics)) return of_contact;
  return make_quantity(solid_quantities(), solid_quantity_case(*this, model), model, record, diagnostics);
}

Measurement SolidModel::measurement(CaseModel& model, const Value& record, double time, Diagnostics& diagnostics) const {
  if (auto of_contact = make_quantity(contact_reports(), contact_case(model), model, record, diagnostics)) return *of_contact;
  SolidQuantityCase c = solid_quantity_case(*this, model);
  c.time = time;
  return make_quantity(body_reports(), std::move(c), model, record, diagnostics).value_or(Measurement{});
}

std::shared_ptr<Observable> SolidModel::mean_square(CaseModel& model) const {
  return make_mean_square_displacement(solid_quantity_case(*this, model));
}

}  // namespace invar
