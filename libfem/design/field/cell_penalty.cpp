#include "libfem/design/field/cell_penalty.hpp"

#include <algorithm>

#include "libfem/form/gradient_energy.hpp"

namespace invar {

CellPenalty::CellPenalty(std::shared_ptr<FormResidual> residual, int control, const VariableTransform& transform, double slope,
                         const std::string& region, bool axisymmetric)
    : residual_(std::move(residual)), control_(control), transform_(transform) {
  const auto mesh = residual_->dofs().mesh_pointer();
  dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"q", 1}}, residual_->comm());
  CellBatches cells = CellBatches::on_cells(dofs_, region, 4);
  weights_ = std::make_unique<CellWeights>(cells, axisymmetric);
  form_ = slope > 0 ? make_gradient_length(mesh->dim, axisymmetric, std::move(cells), slope)
                    : make_gradient_energy(mesh->dim, axisymmetric, std::move(cells));
  form_->coefficients()[0] = Coefficient::constant(1);
  inverse_mass_ = dofs_->create_vector();
  weights_->gather(std::vector<double>(weights_->cell_count(), 1.0), inverse_mass_);
  double* m = nullptr;
  check(VecGetArray(inverse_mass_, &m));
  for (int i = 0; i < dofs_->n_owned(); ++i) m[i] = m[i] > 0 ? 1 / m[i] : 0.0;
  check(VecRestoreArray(inverse_mass_, &m));
}

CellPenalty::Coordinate CellPenalty::at(const EvaluationPoint& u, std::size_t cell) const {
  const double q = transform_.coordinate(u.controls()[control_][cell]);
  const double slope = 1 / transform_.derivative(q);
  return {q, slope, -transform_.second_derivative(q) * slope * slope * slope};
}

VecHandle CellPenalty::nodal(const std::vector<double>& q) const {
  VecHandle phi = dofs_->create_vector();
  weights_->gather(q, phi);
  check(VecPointwiseMult(phi, phi, inverse_mass_));
  return phi;
}

VecHandle CellPenalty::field(const EvaluationPoint& u, const std::vector<double>* p_dot) const {
  std::vector<double> q(weights_->cell_count(), 0.0);
  for (std::size_t c = 0; c < q.size(); ++c)
    if (weights_->owned()[c] && weights_->volumes()[c] > 0) q[c] = p_dot ? at(u, c).slope * (*p_dot)[c] : at(u, c).value;
  return nodal(q);
}

VecHandle CellPenalty::gradient(Vec phi) const {
  const LocalArray local(phi);
  std::vector<double> r(dofs_->n_local(), 0.0);
  form_->residual({local.data(), dofs_->mesh().coordinates.data()}, r.data());
  return owned_part(r);
}

VecHandle CellPenalty::gradient_jvp(Vec phi, Vec phi_dot) const {
  const LocalArray local(phi), along(phi_dot);
  std::vector<double> r_dot(dofs_->n_local(), 0.0);
  form_->jvp({local.data(), dofs_->mesh().coordinates.data()}, FormTangent{.unknown = along.data()}, r_dot.data());
  return owned_part(r_dot);
}

VecHandle CellPenalty::owned_part(const std::vector<double>& local) const {
  VecHandle g = dofs_->create_vector();
  double* a = nullptr;
  check(VecGetArray(g, &a));
  std::copy_n(local.begin(), dofs_->n_owned(), a);
  check(VecRestoreArray(g, &a));
  return g;
}

std::vector<double> CellPenalty::spread(Vec g) const {
  VecHandle scaled = dofs_->create_vector();
  check(VecPointwiseMult(scaled, g, inverse_mass_));
  std::vector<double> q_bar;
  weights_->spread(scaled, q_bar);
  return q_bar;
}

const std::vector<double>* CellPenalty::direction(const Controls* d_dot) const {
  return !d_dot || (*d_dot)[control_].empty() ? nullptr : &(*d_dot)[control_];
}

void CellPenalty::evaluate(const EvaluationPoint& u, double* y) {
  const VecHandle phi = field(u, nullptr);
  const LocalArray local(phi);
  *y = form_->value({local.data(), dofs_->mesh().coordinates.data()});
  MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
}

// ---- forward, then reverse ----------------------------------------------------------------------

void CellPenalty::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = 0;
  if (const std::vector<double>* p_dot = direction(d_dot)) check(VecDot(field(u, p_dot), gradient(field(u, nullptr)), y_dot));
}

void CellPenalty::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  if (!d_bar || (*d_bar)[control_].empty()) return;
  const std::vector<double> q_bar = spread(gradient(field(u, nullptr)));
  for (std::size_t c = 0; c < q_bar.size(); ++c)
    if (weights_->owned()[c] && weights_->volumes()[c] > 0) (*d_bar)[control_][c] += y_bar[0] * at(u, c).slope * q_bar[c];
}

void CellPenalty::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                                const Controls* d_dot, const State&, Controls* d_bar_dot) {
  if (!d_bar_dot || (*d_bar_dot)[control_].empty()) return;
  const std::vector<double>* p_dot = direction(d_dot);
  const std::vector<double> q_bar = spread(gradient(field(u, nullptr)));
  const std::vector<double> q_bar_dot = p_dot ? spread(gradient_jvp(field(u, nullptr), field(u, p_dot))) : std::vector<double>(q_bar.size(), 0.0);
  for (std::size_t c = 0; c < q_bar.size(); ++c) {
    if (!weights_->owned()[c] || !(weights_->volumes()[c] > 0)) continue;
    const Coordinate q = at(u, c);
    (*d_bar_dot)[control_][c] += y_bar[0] * (q.slope * q_bar_dot[c] + (p_dot ? q.bend * (*p_dot)[c] * q_bar[c] : 0.0)) +
                                 (y_bar_dot ? y_bar_dot[0] : 0.0) * q.slope * q_bar[c];
  }
}

}  // namespace invar
