#include "libfem/design/field/field_roughness.hpp"

#include "libfem/form/gradient_energy.hpp"

namespace invar {

FieldRoughness::FieldRoughness(std::shared_ptr<FormResidual> residual, int control, const VariableTransform& transform,
                               const std::string& region, bool axisymmetric)
    : residual_(std::move(residual)), control_(control), transform_(transform) {
  const MPI_Comm comm = residual_->comm();
  const auto mesh = residual_->dofs().mesh_pointer();
  dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"q", 1}}, comm);
  const CellBatches cells = CellBatches::on_cells(dofs_, region, 4);
  weights_ = std::make_unique<CellWeights>(cells, axisymmetric);
  stiffness_ = std::make_unique<AssembledMatrix>(dofs_);
  stiffness_->constrain(std::vector<char>(dofs_->n_local(), 0));
  const std::unique_ptr<WeakForm> form = make_gradient_energy(mesh->dim, axisymmetric, cells);
  form->coefficients()[0] = Coefficient::constant(1);
  inverse_mass_ = dofs_->create_vector();
  stiffness_->begin();
  {
    const LocalArray zero(inverse_mass_);
    form->jacobian({zero.data(), mesh->coordinates.data()}, *stiffness_);
  }
  stiffness_->end();
  weights_->gather(std::vector<double>(weights_->cell_count(), 1.0), inverse_mass_);
  double* m = nullptr;
  check(VecGetArray(inverse_mass_, &m));
  for (int i = 0; i < dofs_->n_owned(); ++i) m[i] = m[i] > 0 ? 1 / m[i] : 0.0;
  check(VecRestoreArray(inverse_mass_, &m));
}

FieldRoughness::Coordinate FieldRoughness::at(const EvaluationPoint& u, std::size_t cell) const {
  const double q = transform_.coordinate(u.controls()[control_][cell]);
  const double slope = 1 / transform_.derivative(q);
  return {q, slope, -transform_.second_derivative(q) * slope * slope * slope};
}

VecHandle FieldRoughness::nodal(const std::vector<double>& q) const {
  VecHandle phi = dofs_->create_vector();
  weights_->gather(q, phi);
  check(VecPointwiseMult(phi, phi, inverse_mass_));
  return phi;
}

VecHandle FieldRoughness::field(const EvaluationPoint& u, const std::vector<double>* p_dot) const {
  std::vector<double> q(weights_->cell_count(), 0.0);
  for (std::size_t c = 0; c < q.size(); ++c)
    if (weights_->owned()[c] && weights_->volumes()[c] > 0) q[c] = p_dot ? at(u, c).slope * (*p_dot)[c] : at(u, c).value;
  return nodal(q);
}

VecHandle FieldRoughness::stiff(Vec phi) const {
  VecHandle g = dofs_->create_vector();
  check(MatMult(stiffness_->mat(), phi, g));
  return g;
}

std::vector<double> FieldRoughness::spread(Vec g) const {
  VecHandle scaled = dofs_->create_vector();
  check(VecPointwiseMult(scaled, g, inverse_mass_));
  std::vector<double> q_bar;
  weights_->spread(scaled, q_bar);
  return q_bar;
}

const std::vector<double>* FieldRoughness::direction(const Controls* d_dot) const {
  return !d_dot || (*d_dot)[control_].empty() ? nullptr : &(*d_dot)[control_];
}

void FieldRoughness::evaluate(const EvaluationPoint& u, double* y) {
  const VecHandle phi = field(u, nullptr);
  check(VecDot(phi, stiff(phi), y));
  *y *= 0.5;
}

// ---- forward, then reverse ----------------------------------------------------------------------

void FieldRoughness::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = 0;
  if (const std::vector<double>* p_dot = direction(d_dot)) check(VecDot(field(u, p_dot), stiff(field(u, nullptr)), y_dot));
}

void FieldRoughness::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  if (!d_bar || (*d_bar)[control_].empty()) return;
  const std::vector<double> q_bar = spread(stiff(field(u, nullptr)));
  for (std::size_t c = 0; c < q_bar.size(); ++c)
    if (weights_->owned()[c] && weights_->volumes()[c] > 0) (*d_bar)[control_][c] += y_bar[0] * at(u, c).slope * q_bar[c];
}

void FieldRoughness::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                                const Controls* d_dot, const State&, Controls* d_bar_dot) {
  if (!d_bar_dot || (*d_bar_dot)[control_].empty()) return;
  const std::vector<double>* p_dot = direction(d_dot);
  const std::vector<double> q_bar = spread(stiff(field(u, nullptr)));
  const std::vector<double> q_bar_dot = p_dot ? spread(stiff(field(u, p_dot))) : std::vector<double>(q_bar.size(), 0.0);
  for (std::size_t c = 0; c < q_bar.size(); ++c) {
    if (!weights_->owned()[c] || !(weights_->volumes()[c] > 0)) continue;
    const Coordinate q = at(u, c);
    (*d_bar_dot)[control_][c] += y_bar[0] * (q.slope * q_bar_dot[c] + (p_dot ? q.bend * (*p_dot)[c] * q_bar[c] : 0.0)) +
                                 (y_bar_dot ? y_bar_dot[0] : 0.0) * q.slope * q_bar[c];
  }
}

}  // namespace invar
