#include "libfem/form/form_residual.hpp"

#include <cmath>
#include <map>

#include "libfem/form/local_access.hpp"

namespace invar {

FormResidual::FormResidual(std::shared_ptr<const DofMap> dofs, bool symmetric, bool minimum)
    : dofs_(std::move(dofs)), symmetric_(symmetric), minimum_(minimum && symmetric) {}

int FormResidual::add_control(ControlInfo info, std::vector<double> values) {
  controls_.push_back(std::move(info));
  values_.push_back(std::move(values));
  return static_cast<int>(controls_.size()) - 1;
}

void FormResidual::add_form(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values) {
  forms_.push_back({std::move(form), std::move(values)});
}

void FormResidual::add_dirichlet(DirichletCondition condition) { dirichlet_.push_back(std::move(condition)); }

void FormResidual::finish() {
  std::map<int, Constraint> by_dof;
  for (std::size_t k = 0; k < dirichlet_.size(); ++k)
    if (const Region* region = dofs_->mesh().find_region(dirichlet_[k].region))
      for (int node : region->nodes)
        if (const int dof = dofs_->dof(node, dirichlet_[k].component); dof >= 0)
          by_dof[dof] = {dof, node, static_cast<int>(k)};
  std::vector<char> constrained(dofs_->n_local(), 0);
  for (const auto& [dof, c] : by_dof) {
    constraints_.push_back(c);
    constrained[dof] = 1;
    if (dof < dofs_->n_owned()) constrained_rows_.push_back(dof);
  }
  matrix_ = std::make_unique<AssembledMatrix>(dofs_);
  matrix_->constrain(std::move(constrained));
  update_coefficients();
}

void FormResidual::spread_control(int control) {
  int n_cells = 0;
  for (const CellBlock& block : dofs_->mesh().cells) n_cells += block.count();
  controls_[control].shared = false;
  values_[control].assign(n_cells, values_[control][0]);
  update_coefficients();
}

void FormResidual::gather_control(int control) {
  controls_[control].shared = true;
  values_[control].resize(1);
  update_coefficients();
}

void FormResidual::set_controls(const Controls& d) {
  values_ = d;
  update_coefficients();
}

void FormResidual::set_time(double t) {
  time_ = t;
  update_coefficients();
}

double FormResidual::shape_at(const ControlledValue& v, int node) const {
  return v.shape ? v.shape(&dofs_->mesh().coordinates[std::size_t(node) * dofs_->mesh().dim], time_) : 1.0;
}

void FormResidual::update_coefficients() {
  for (BoundForm& f : forms_)
    for (std::size_t k = 0; k < f.values.size(); ++k) {
      const ControlledValue& v = f.values[k];
      Coefficient& c = f.form->coefficients()[k];
      if (!controls_[v.control].shared) {
        c = {Coefficient::Layout::per_cell, values_[v.control]};
      } else if (v.varies_in_space) {
        c.layout = Coefficient::Layout::per_node;
        c.values.resize(dofs_->mesh().node_total());
        for (std::size_t n = 0; n < c.values.size(); ++n)
          c.values[n] = values_[v.control][0] * shape_at(v, static_cast<int>(n));
      } else {
        c = Coefficient::constant(values_[v.control][0] * shape_at(v, 0));
      }
    }
}

void FormResidual::impose_constraints(Vec u) const {
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) {
      const ControlledValue& v = dirichlet_[c.condition].value;
      a[c.dof] = values_[v.control][0] * shape_at(v, c.node);
    }
  check(VecRestoreArray(u, &a));
}

// ---- residual ---------------------------------------------------------------------------------

void FormResidual::raw_residual(Vec u, Vec r) {
  check(VecSet(r, 0.0));
  const LocalArray local(u);
  Accumulator out(*dofs_, r);
  const FormState at{local.data(), coordinates().data()};
  for (BoundForm& f : forms_) f.form->residual(at, out.data());
  out.flush();
}

bool FormResidual::residual(Vec u, Vec r) {
  check(VecSet(r, 0.0));
  const LocalArray local(u);
  Accumulator out(*dofs_, r);
  const FormState at{local.data(), coordinates().data()};
  int admissible = 1;
  for (BoundForm& f : forms_) admissible &= f.form->residual(at, out.data()) ? 1 : 0;
  out.flush();
  double* a = nullptr;
  check(VecGetArray(r, &a));
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) {
      const ControlledValue& v = dirichlet_[c.condition].value;
      a[c.dof] = local.data()[c.dof] - values_[v.control][0] * shape_at(v, c.node);
    }
  check(VecRestoreArray(r, &a));
  MPI_Allreduce(MPI_IN_PLACE, &admissible, 1, MPI_INT, MPI_MIN, comm());
  double norm = 0;
  check(VecNorm(r, NORM_2, &norm));
  return admissible && std::isfinite(norm);
}

std::optional<double> FormResidual::potential(Vec u) {
  if (!minimum_) return std::nullopt;
  double total = 0;
  for (int f = 0; f < form_count(); ++f) total += form_value(f, u);
  return total;
}

double FormResidual::form_value(int form, Vec u) {
  const LocalArray local(u);
  double value = forms_[form].form->value({local.data(), coordinates().data()});
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm());
  return value;
}

void FormResidual::jacobian(Vec u) {
  const LocalArray local(u);
  matrix_->begin();
  for (BoundForm& f : forms_) f.form->jacobian({local.data(), coordinates().data()}, *matrix_);
  matrix_->end();
}

}  // namespace invar
