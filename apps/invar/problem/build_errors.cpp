#include "apps/invar/problem/build_errors.hpp"

#include "apps/invar/physics/physics.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;

using Formulas = std::vector<std::shared_ptr<const Expression>>;  // per component, may be empty

/// Formulas of the components that the record gives.
Formulas read_formulas(const Value& errors, const CaseModel& model, Diagnostics& diagnostics) {
  Formulas formulas;
  for (const Component& c : model.dofs->components()) {
    const Value* v = errors.find(c.name);
    formulas.emplace_back();
    try {
      if (v) formulas.back() = std::make_shared<Expression>(v->is_number() ? number_text(v->number()) : v->text());
    } catch (const ExpressionError& e) {
      diagnostics.error(v->position, v->yaml_path, e.what());
    }
  }
  return formulas;
}

/// Of some components against their formulas at time t.
ErrorNorm error_against(const Formulas& formulas, const CaseModel& model, const std::vector<int>& components, double t,
                        bool without_mean) {
  const auto target = [&](int c, const double* x) { return (*formulas[c])(x[0], x[1], x[2], t); };
  return ErrorNorm(model.dofs, components, target, without_mean);
}

bool is_of_vector(const Component& c) { return c.name.starts_with("u_"); }

/// Components that are neither of the vector nor the pressure and have a formula.
std::vector<int> scalar_components(const CaseModel& model, const Formulas& formulas) {
  std::vector<int> scalars;
  for (int c = 0; c < model.dofs->n_components(); ++c)
    if (const Component& of = model.dofs->components()[c]; formulas[c] && !is_of_vector(of) && of.name != "p") scalars.push_back(c);
  return scalars;
}

/// Of a record; false after recording that a component has a formula that the unknown does not have.
bool check_components(const Value& record, const CaseModel& model, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  for (const spec::Type::Choice& c : components_of(all_physics()))
    if (const Value* v = record.find(c.word); v && c.word != "p" && !c.word.starts_with("u_") && model.component(c.word) < 0)
      diagnostics.error(v->key_position, v->yaml_path, "the unknown has no component '" + c.word + "'",
                        c.word == "c" ? "a flow has one with 'scalar: true' in 'physics'" : "");
  return diagnostics.size() == before;
}

/// The components of the vector that have a formula.
std::vector<int> vector_components(const CaseModel& model, const Formulas& formulas) {
  std::vector<int> components;
  for (int c = 0; c < model.dofs->n_components(); ++c)
    if (formulas[c] && is_of_vector(model.dofs->components()[c])) components.push_back(c);
  return components;
}

}  // namespace

std::optional<ErrorNorm> build_field_error(const Value& record, const CaseModel& model, double t, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (const Value* z = record.find("u_z"); z && model.mesh->dim == 2)
    diagnostics.error(z->key_position, z->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
  check_components(record, model, diagnostics);
  const Formulas formulas = read_formulas(record, model, diagnostics);
  if (diagnostics.size() != before) return std::nullopt;
  std::vector<int> components = vector_components(model, formulas);
  for (int c : scalar_components(model, formulas)) components.push_back(c);
  return error_against(formulas, model, components, t, false);
}

std::vector<CaseError> build_errors(const Value& errors, const CaseModel& model, int case_index, Diagnostics& diagnostics) {
  if (!check_components(errors, model, diagnostics)) return {};
  const Formulas formulas = read_formulas(errors, model, diagnostics);
  const int pressure = model.pressure_component();
  const std::vector<int> vector = vector_components(model, formulas), scalar = scalar_components(model, formulas);
  std::vector<CaseError> found;
  const auto add = [&](const std::string& name, const std::vector<int>& components, bool without_mean) {
    found.push_back({name, case_index, error_against(formulas, model, components, model.times.back(), without_mean)});
  };
  if (!vector.empty()) add(model.physics->vector_name() + "_l2", vector, false);
  if (pressure >= 0 && formulas[pressure]) add("pressure_l2", {pressure}, model.physics->pressure_has_no_level());
  for (const int c : scalar) {
    const std::string& name = model.dofs->components()[c].name;
    add((name == "c" ? "scalar" : name) + "_l2", {c}, false);
  }
  return found;
}

}  // namespace invar
