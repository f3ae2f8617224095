#include "libfem/objective/place_observable.hpp"

#include "libfem/objective/known_field.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

std::vector<MeasuredSet> make_displacement_misfit(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const KnownField wanted(c.dofs, v, mistakes);
  if (mistakes.any()) return {};
  const std::string& region = v.text("region");
  MeasuredSet set;
  auto linear = make_field_samples(
      c.dofs, region == "all" ? "" : region, c.names_facets(region) ? c.dim() - 1 : c.dim(), 4, wanted.components(),
      [&](int component, const double* x) { return wanted(component, x, c.time); }, set.targets);
  if (v.text("from") == "mesh") set.observable = std::make_shared<PlaceObservable>(c.residual, std::move(linear));
  else set.observable = std::move(linear);
  return {std::move(set)};
}

}  // namespace

PlaceObservable::PlaceObservable(std::shared_ptr<FormResidual> residual, std::unique_ptr<LinearObservable> of_displacement)
    : residual_(std::move(residual)), linear_(std::move(of_displacement)) {
  const DofMap& dofs = residual_->dofs();
  const int dim = dofs.mesh().dim;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    for (int i = 0; i < dim; ++i)
      if (const int dof = dofs.dof(node, i); dof >= 0) nodes_.emplace_back(dof, std::size_t(node) * dim + i);
}

VecHandle PlaceObservable::moved(Vec u, const double* x, const double* from) const {
  VecHandle sum = residual_->dofs().create_vector();
  if (u) check(VecCopy(u, sum));
  double* a = nullptr;
  check(VecGetArray(sum, &a));
  for (const auto& [dof, place] : nodes_) a[dof] += x[place] - (from ? from[place] : 0.0);
  check(VecRestoreArray(sum, &a));
  check(VecGhostUpdateBegin(sum, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(sum, INSERT_VALUES, SCATTER_FORWARD));
  return sum;
}

void PlaceObservable::evaluate(const EvaluationPoint& u, double* y) {
  const VecHandle sum = moved(u, residual_->coordinates(u.given).data(), residual_->dofs().mesh().coordinates.data());
  linear_->evaluate({State(sum), u.given}, y);
}

void PlaceObservable::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  const int control = residual_->coordinates_control();
  if (control < 0 || !d_dot || (*d_dot)[control].empty()) return linear_->jvp(u, u_dot, d_dot, y_dot);
  const VecHandle sum = moved(u_dot, (*d_dot)[control].data(), nullptr);
  linear_->jvp(u, State(sum), nullptr, y_dot);
}

void PlaceObservable::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  linear_->vjp(u, y_bar, u_bar, nullptr);
  const int control = residual_->coordinates_control();
  if (control < 0 || !d_bar || (*d_bar)[control].empty()) return;
  const VecHandle sum = residual_->dofs().create_vector();
  linear_->vjp(u, y_bar, State(sum), nullptr);
  const double* a = nullptr;
  check(VecGetArrayRead(sum, &a));
  for (const auto& [dof, place] : nodes_) (*d_bar)[control][place] += a[dof];
  check(VecRestoreArrayRead(sum, &a));
}

void PlaceObservable::vjp_tangent(const EvaluationPoint& u, const double*, const double* y_bar_dot, const State&, const Controls*, const State& u_bar_dot,
                                 Controls* d_bar_dot) {
  if (y_bar_dot) vjp(u, y_bar_dot, u_bar_dot, d_bar_dot);
}

DataEntry<QuantityCase> displacement_field_data() {
  DataEntry<QuantityCase> entry = field_data("displacement_field", "Solid: ∫ |u − û|² over a region against formulas (root-mean-square weighted); axisymmetric: over the section, without 2πr.");
  entry.parameters.push_back({.key = "from",
                              .kind = EntryParameter::Kind::word,
                              .doc = "where displacements of a body with a designed shape begin",
                              .default_text = "design",
                              .words = {{"design", "at the designed places"},
                                        {"mesh", "at the places of the mesh as given: û = 0 wants the deformed body to be where the mesh was"}}});
  entry.make = &make_displacement_misfit;
  return entry;
}

}  // namespace invar
