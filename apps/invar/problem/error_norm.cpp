#include "apps/invar/problem/error_norm.hpp"

#include <cmath>
#include <functional>

#include "apps/invar/spec/number_text.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/space/expression.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

using spec::Value;

constexpr int degree = 8;  // of quadrature: errors are no polynomials

/// Area or volume of the mesh.
double measure_of(const CaseModel& model) {
  const FlowKind plain = model.mesh->dim == 3 ? FlowKind::spatial : FlowKind::planar;
  const auto volume = make_flow_volume(plain, CellBatches::on_cells(model.dofs, "", degree));
  VecHandle any = model.dofs->create_vector();
  const LocalArray state(any);
  double measure = volume->value({state.data(), model.mesh->coordinates.data()});
  MPI_Allreduce(MPI_IN_PLACE, &measure, 1, MPI_DOUBLE, MPI_SUM, model.dofs->comm());
  return measure;
}

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

/// Of some components from their formulas at time t; `without_mean`: the mean of the difference taken away.
ErrorNorm difference(const CaseModel& model, const Formulas& formulas, const std::vector<int>& components, double t,
                     bool without_mean) {
  const int dim = model.mesh->dim;
  ErrorNorm e{"", 0, nullptr, {}, {}, measure_of(model)};
  const auto sample = [&](const std::function<double(int, const double*)>& target, std::vector<double>& out) {
    return make_field_samples(model.dofs, "", dim, degree, components, target, out);
  };
  e.samples = sample([&](int c, const double* x) { return (*formulas[c])(x[0], x[1], x[2], t); }, e.target);
  if (without_mean) sample([](int, const double*) { return 1.0; }, e.ones);
  return e;
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
  return difference(model, formulas, components, t, false);
}

std::vector<ErrorNorm> build_error_norms(const Value& errors, const CaseModel& model, int case_index,
                                         Diagnostics& diagnostics) {
  if (!check_scalar_formula(errors, model, diagnostics)) return {};
  const Formulas formulas = read_formulas(errors, model, diagnostics);
  const int pressure = model.pressure_component();
  const std::vector<int> vector = vector_components(model, formulas);
  const double t = model.times.back();
  const auto norm = [&](const char* name, const std::vector<int>& components, bool without_mean) {
    ErrorNorm e = difference(model, formulas, components, t, without_mean);
    e.name = name, e.case_index = case_index;
    return e;
  };
  std::vector<ErrorNorm> norms;
  if (!vector.empty()) norms.push_back(norm(model.flow() ? "velocity_l2" : "displacement_l2", vector, false));
  if (pressure >= 0 && formulas[pressure]) norms.push_back(norm("pressure_l2", {pressure}, model.flow() != nullptr));
  if (const auto scalar = scalar_components(model, formulas); !scalar.empty()) norms.push_back(norm("scalar_l2", scalar, false));
  return norms;
}

double cell_size(const CaseModel& model, double measure) {
  long long cells = 0;
  for (const CellBlock& block : model.mesh->cells) cells += block.n_owned;
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_LONG_LONG, MPI_SUM, model.dofs->comm());
  return std::pow(measure / static_cast<double>(cells), 1.0 / model.mesh->dim);
}

double ErrorNorm::evaluate(const EvaluationPoint& u) const {
  std::vector<double> y(target.size());
  samples->evaluate(u, y.data());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < ones.size(); ++i) mean += ones[i] * (y[i] - target[i]);
  for (std::size_t i = 0; i < y.size(); ++i)
    squares += std::pow(y[i] - target[i] - (ones.empty() ? 0.0 : mean * ones[i]), 2);
  return std::sqrt(squares * measure);
}

}  // namespace invar
