#include "apps/invar/problem/build_errors.hpp"

#include "apps/invar/spec/number_text.hpp"
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

/// The scalar, where it has a formula.
std::vector<int> scalar_components(const CaseModel& model, const Formulas& formulas) {
  const int c = model.scalar_component();
  return c >= 0 && formulas[c] ? std::vector{c} : std::vector<int>{};
}

/// Of a record; false after recording that a scalar is given which nothing carries.
bool check_scalar_formula(const Value& record, const CaseModel& model, Diagnostics& diagnostics) {
  const Value* c = record.find("c");
  if (!c || model.scalar_component() >= 0) return true;
  diagnostics.error(c->key_position, c->yaml_path, "the unknown has no component 'c'", "a flow has one with 'scalar: true' in 'physics'");
  return false;
}

/// The components of the vector that have a formula.
std::vector<int> vector_components(const CaseModel& model, const Formulas& formulas) {
  std::vector<int> components;
  for (int c = 0; c < model.mesh->dim; ++c)
    if (formulas[c]) components.push_back(c);
  return components;
}

}  // namespace

std::optional<ErrorNorm> build_field_error(const Value& record, const CaseModel& model, double t, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (const Value* z = record.find("u_z"); z && model.mesh->dim == 2)
    diagnostics.error(z->key_position, z->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
  check_scalar_formula(record, model, diagnostics);
  const Formulas formulas = read_formulas(record, model, diagnostics);
  if (diagnostics.size() != before) return std::nullopt;
  std::vector<int> components = vector_components(model, formulas);
  for (int c : scalar_components(model, formulas)) components.push_back(c);
  return error_against(formulas, model, components, t, false);
}

std::vector<CaseError> build_errors(const Value& errors, const CaseModel& model, int case_index, Diagnostics& diagnostics) {
  if (!check_scalar_formula(errors, model, diagnostics)) return {};
  const Formulas formulas = read_formulas(errors, model, diagnostics);
  const int pressure = model.pressure_component();
  const std::vector<int> vector = vector_components(model, formulas), scalar = scalar_components(model, formulas);
  std::vector<CaseError> found;
  const auto add = [&](const char* name, const std::vector<int>& components, bool without_mean) {
    found.push_back({name, case_index, error_against(formulas, model, components, model.times.back(), without_mean)});
  };
  if (!vector.empty()) add(model.flow() ? "velocity_l2" : "displacement_l2", vector, false);
  if (pressure >= 0 && formulas[pressure]) add("pressure_l2", {pressure}, model.flow() != nullptr);
  if (!scalar.empty()) add("scalar_l2", scalar, false);
  return found;
}

}  // namespace invar
