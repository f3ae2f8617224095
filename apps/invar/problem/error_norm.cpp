#include "apps/invar/problem/error_norm.hpp"

#include <cmath>

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

}  // namespace

std::vector<ErrorNorm> build_error_norms(const Value& errors, const CaseModel& model, int case_index,
                                         Diagnostics& diagnostics) {
  const Formulas formulas = read_formulas(errors, model, diagnostics);
  const int pressure = model.pressure_component(), dim = model.mesh->dim;
  std::vector<int> vector;
  for (int c = 0; c < dim; ++c)
    if (formulas[c]) vector.push_back(c);
  const double t = model.times.back(), measure = measure_of(model);
  const auto norm = [&](const char* name, const std::vector<int>& components, bool without_mean) {
    ErrorNorm e{name, case_index, nullptr, {}, {}, measure};
    e.samples = make_field_samples(
        model.dofs, "", dim, degree, components,
        [&](int c, const double* x) { return (*formulas[c])(x[0], x[1], x[2], t); }, e.target);
    if (without_mean)
      make_field_samples(model.dofs, "", dim, degree, components, [](int, const double*) { return 1.0; }, e.ones);
    return e;
  };
  std::vector<ErrorNorm> norms;
  if (!vector.empty()) norms.push_back(norm(model.flow() ? "velocity_l2" : "displacement_l2", vector, false));
  if (pressure >= 0 && formulas[pressure]) norms.push_back(norm("pressure_l2", {pressure}, model.flow() != nullptr));
  return norms;
}

double cell_size(const CaseModel& model, double measure) {
  long long cells = 0;
  for (const CellBlock& block : model.mesh->cells) cells += block.n_owned;
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_LONG_LONG, MPI_SUM, model.dofs->comm());
  return std::pow(measure / static_cast<double>(cells), 1.0 / model.mesh->dim);
}

double ErrorNorm::evaluate(Vec state) const {
  std::vector<double> y(target.size());
  samples->evaluate(state, y.data());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < ones.size(); ++i) mean += ones[i] * (y[i] - target[i]);
  for (std::size_t i = 0; i < y.size(); ++i)
    squares += std::pow(y[i] - target[i] - (ones.empty() ? 0.0 : mean * ones[i]), 2);
  return std::sqrt(squares * measure);
}

}  // namespace invar
