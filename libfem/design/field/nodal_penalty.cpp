#include "libfem/design/field/nodal_penalty.hpp"

#include <algorithm>

#include "libfem/form/gradient_energy.hpp"
#include "libfem/form/value_energy.hpp"

namespace invar {

NodalPenalty::NodalPenalty(std::shared_ptr<FormResidual> residual, int control, Of of, bool axisymmetric)
    : residual_(std::move(residual)), control_(control), components_(residual_->controls()[control].components) {
  const auto mesh = residual_->dofs().mesh_pointer();
  int order = 1;
  for (const CellBlock& block : mesh->cells) order = std::max(order, block.type.order);
  dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"v", order}}, residual_->comm());
  matrix_ = std::make_unique<AssembledMatrix>(dofs_);
  matrix_->constrain(std::vector<char>(dofs_->n_local(), 0));
  CellBatches cells = CellBatches::on_cells(dofs_, "", 2 * order + axisymmetric);
  const auto make = of == Of::size ? make_value_energy : make_gradient_energy;
  const std::unique_ptr<WeakForm> form = make(mesh->dim, axisymmetric, std::move(cells));
  form->coefficients()[0] = Coefficient::constant(1);
  matrix_->begin();
  form->jacobian({{}, mesh->coordinates.data()}, *matrix_);
  matrix_->end();
}

VecHandle NodalPenalty::component(const std::vector<double>& v, int i) const {
  VecHandle phi = dofs_->create_vector();
  double* a = nullptr;
  check(VecGetArray(phi, &a));
  for (int node = 0; node < dofs_->n_owned(); ++node) a[node] = v[std::size_t(node) * components_ + i];
  check(VecRestoreArray(phi, &a));
  return phi;
}

double NodalPenalty::product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  VecHandle g = dofs_->create_vector();
  for (int i = 0; i < components_; ++i) {
    double part = 0;
    check(MatMult(matrix_->mat(), component(b, i), g));
    check(VecDot(component(a, i), g, &part));
    sum += part;
  }
  return sum;
}

void NodalPenalty::add(double factor, const std::vector<double>& v, std::vector<double>& bar) const {
  VecHandle g = dofs_->create_vector();
  for (int i = 0; i < components_; ++i) {
    check(MatMult(matrix_->mat(), component(v, i), g));
    const double* a = nullptr;
    check(VecGetArrayRead(g, &a));
    for (int node = 0; node < dofs_->n_owned(); ++node) bar[std::size_t(node) * components_ + i] += factor * a[node];
    check(VecRestoreArrayRead(g, &a));
  }
}

const std::vector<double>* NodalPenalty::direction(const Controls* d_dot) const {
  return !d_dot || (*d_dot)[control_].empty() ? nullptr : &(*d_dot)[control_];
}

void NodalPenalty::evaluate(const EvaluationPoint& u, double* y) { *y = 0.5 * product(field(u), field(u)); }

// ---- forward, then reverse ----------------------------------------------------------------------

void NodalPenalty::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  const std::vector<double>* v_dot = direction(d_dot);
  *y_dot = v_dot ? product(*v_dot, field(u)) : 0.0;
}

void NodalPenalty::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  if (d_bar && !(*d_bar)[control_].empty()) add(y_bar[0], field(u), (*d_bar)[control_]);
}

void NodalPenalty::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                                const Controls* d_dot, const State&, Controls* d_bar_dot) {
  if (!d_bar_dot || (*d_bar_dot)[control_].empty()) return;
  if (const std::vector<double>* v_dot = direction(d_dot)) add(y_bar[0], *v_dot, (*d_bar_dot)[control_]);
  if (y_bar_dot) add(y_bar_dot[0], field(u), (*d_bar_dot)[control_]);
}

}  // namespace invar
