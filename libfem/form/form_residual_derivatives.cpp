#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"

namespace invar {

// ---- derivatives: forward, then reverse -----------------------------------------------------------

/// Directions of all coefficients of one form from a direction of the controls.
struct FormResidual::Directions {
  std::vector<std::vector<double>> storage;
  FormTangent tangent;

  Directions(const FormResidual& r, const BoundForm& f, const double* unknown, const double* multiplier,
             const Controls* d_dot) {
    tangent.unknown = unknown;
    tangent.multiplier = multiplier;
    tangent.coordinates = r.coordinate_direction(d_dot);
    if (!d_dot) return;
    storage.resize(f.values.size());
    tangent.coefficients.assign(f.values.size(), nullptr);
    for (std::size_t k = 0; k < f.values.size(); ++k) {
      const ControlledValue& v = f.values[k];
      const std::vector<double>& dot = (*d_dot)[v.control];
      if (dot.empty()) continue;
      if (!r.controls_[v.control].shared()) {
        storage[k] = dot;
      } else {
        const int n = v.varies_in_space ? r.dofs_->mesh().node_total() : 1;
        storage[k].resize(n);
        for (int i = 0; i < n; ++i) storage[k][i] = dot[0] * r.shape_at(v, i);
      }
      tangent.coefficients[k] = storage[k].data();
    }
  }
};

void FormResidual::raw_jvp(Vec u, Vec u_dot, const Controls* d_dot, Vec r_dot) {
  check(VecSet(r_dot, 0.0));
  const LocalArray local(u);
  const OptionalLocal local_dot(u_dot);
  Accumulator out(*dofs_, r_dot);
  for (BoundForm& f : forms_) {
    if (!f.in_residual) continue;
    const Directions d(*this, f, local_dot.data(), nullptr, d_dot);
    f.form->jvp({local.data(), coordinates().data()}, d.tangent, out.data());
  }
  out.flush();
}

void FormResidual::jvp(Vec u, Vec u_dot, const Controls* d_dot, Vec r_dot) {
  raw_jvp(u, u_dot, d_dot, r_dot);
  const OptionalLocal local_dot(u_dot);
  double* a = nullptr;
  check(VecGetArray(r_dot, &a));
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) {
      const ConstraintValue v = value_of(c);
      double g_dot = 0;
      if (d_dot && !(*d_dot)[v.control].empty()) g_dot = (*d_dot)[v.control][v.entry] * v.factor;
      a[c.dof] = (local_dot.data() ? local_dot.data()[c.dof] : 0.0) - g_dot;
    }
  check(VecRestoreArray(r_dot, &a));
}

const double* FormResidual::coordinate_direction(const Controls* d_dot) const {
  return coordinates_ < 0 || !d_dot || (*d_dot)[coordinates_].empty() ? nullptr : (*d_dot)[coordinates_].data();
}

double* FormResidual::coordinate_target(Controls* d_bar) const {
  return coordinates_ < 0 || !d_bar || (*d_bar)[coordinates_].empty() ? nullptr : (*d_bar)[coordinates_].data();
}

std::vector<std::vector<double>> FormResidual::wanted(const BoundForm& f, const Controls* d_bar) const {
  std::vector<std::vector<double>> bar(f.values.size());
  if (d_bar)
    for (std::size_t k = 0; k < f.values.size(); ++k)
      if (!(*d_bar)[f.values[k].control].empty())
        bar[k].assign(f.form->coefficients()[k].values.size(), 0.0);
  return bar;
}

void FormResidual::pull_back(const BoundForm& f, const std::vector<std::vector<double>>& bar, Controls& d_bar) const {
  for (std::size_t k = 0; k < bar.size(); ++k) {
    if (bar[k].empty()) continue;
    const ControlledValue& v = f.values[k];
    std::vector<double>& target = d_bar[v.control];
    if (!controls_[v.control].shared()) {
      for (std::size_t i = 0; i < target.size(); ++i) target[i] += bar[k][i];
    } else if (v.varies_in_space) {
      for (int n = 0; n < dofs_->mesh().n_owned_nodes; ++n) target[0] += bar[k][n] * shape_at(v, n);
    } else {
      target[0] += bar[k][0] * shape_at(v, 0);
    }
  }
}

namespace {

FormCotangent cotangent(double* unknown, double* coordinates, std::vector<std::vector<double>>& coefficient_bar) {
  FormCotangent out;
  out.unknown = unknown;
  out.coordinates = coordinates;
  out.coefficients.assign(coefficient_bar.size(), nullptr);
  for (std::size_t k = 0; k < coefficient_bar.size(); ++k)
    if (!coefficient_bar[k].empty()) out.coefficients[k] = coefficient_bar[k].data();
  return out;
}

}  // namespace

double FormResidual::form_value_jvp(int form, Vec u, Vec u_dot, const Controls* d_dot) {
  const LocalArray local(u);
  const OptionalLocal local_dot(u_dot);
  const Directions d(*this, forms_[form], local_dot.data(), nullptr, d_dot);
  double value = forms_[form].form->value_jvp({local.data(), coordinates().data()}, d.tangent);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm());
  return value;
}

void FormResidual::form_value_vjp(int form, Vec u, double seed, Vec u_bar, Controls* d_bar) {
  const BoundForm& f = forms_[form];
  const LocalArray local(u);
  Accumulator out(*dofs_, u_bar);
  auto bar = wanted(f, d_bar);
  FormCotangent c = cotangent(out.data(), coordinate_target(d_bar), bar);
  f.form->value_vjp({local.data(), coordinates().data()}, seed, c);
  if (d_bar) pull_back(f, bar, *d_bar);
  out.flush();
}

void FormResidual::form_value_vjp_tangent(int form, Vec u, double seed, Vec u_dot, const Controls* d_dot,
                                          Vec u_bar_dot, Controls* d_bar_dot) {
  const BoundForm& f = forms_[form];
  const LocalArray local(u);
  const OptionalLocal local_dot(u_dot);
  Accumulator out(*dofs_, u_bar_dot);
  auto bar = wanted(f, d_bar_dot);
  FormCotangent c = cotangent(out.data(), coordinate_target(d_bar_dot), bar);
  const Directions d(*this, f, local_dot.data(), nullptr, d_dot);
  f.form->value_vjp_tangent({local.data(), coordinates().data()}, seed, d.tangent, c);
  if (d_bar_dot) pull_back(f, bar, *d_bar_dot);
  out.flush();
}

void FormResidual::raw_vjp(Vec u, Vec weights, Vec u_bar, Controls* d_bar) {
  const LocalArray local(u), local_weights(weights);
  Accumulator out(*dofs_, u_bar);
  for (BoundForm& f : forms_) {
    if (!f.in_residual) continue;
    auto bar = wanted(f, d_bar);
    FormCotangent c = cotangent(out.data(), coordinate_target(d_bar), bar);
    f.form->vjp({local.data(), coordinates().data()}, local_weights.data(), c);
    if (d_bar) pull_back(f, bar, *d_bar);
  }
  out.flush();
}

void FormResidual::vjp(Vec u, Vec lambda, Vec u_bar, Controls* d_bar) {
  VecHandle masked = create_vector();
  check(VecCopy(lambda, masked));
  double *l = nullptr, *b = nullptr;
  check(VecGetArray(masked, &l));
  if (u_bar) check(VecGetArray(u_bar, &b));
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) {
      const ConstraintValue v = value_of(c);
      if (b) b[c.dof] += l[c.dof];
      if (d_bar && !(*d_bar)[v.control].empty()) (*d_bar)[v.control][v.entry] -= l[c.dof] * v.factor;
      l[c.dof] = 0;
    }
  if (u_bar) check(VecRestoreArray(u_bar, &b));
  check(VecRestoreArray(masked, &l));
  raw_vjp(u, masked, u_bar, d_bar);
}

void FormResidual::raw_vjp_tangent(Vec u, Vec weights, Vec u_dot, Vec weights_dot, const Controls* d_dot,
                                   Vec u_bar_dot, Controls* d_bar_dot) {
  const LocalArray local(u), local_weights(weights);
  const OptionalLocal local_u_dot(u_dot), local_weights_dot(weights_dot);
  Accumulator out(*dofs_, u_bar_dot);
  for (BoundForm& f : forms_) {
    if (!f.in_residual) continue;
    auto bar = wanted(f, d_bar_dot);
    FormCotangent c = cotangent(out.data(), coordinate_target(d_bar_dot), bar);
    const Directions d(*this, f, local_u_dot.data(), local_weights_dot.data(), d_dot);
    f.form->vjp_tangent({local.data(), coordinates().data()}, local_weights.data(), d.tangent, c);
    if (d_bar_dot) pull_back(f, bar, *d_bar_dot);
  }
  out.flush();
}

void FormResidual::vjp_tangent(Vec u, Vec lambda, Vec u_dot, Vec lambda_dot, const Controls* d_dot, Vec u_bar_dot,
                               Controls* d_bar_dot) {
  // Constraint rows are linear in u and in d: only λ̇ contributes to them.
  VecHandle masked = create_vector(), masked_dot = create_vector();
  check(VecCopy(lambda, masked));
  if (lambda_dot) check(VecCopy(lambda_dot, masked_dot));
  double *l = nullptr, *l_dot = nullptr, *b = nullptr;
  check(VecGetArray(masked, &l));
  check(VecGetArray(masked_dot, &l_dot));
  if (u_bar_dot) check(VecGetArray(u_bar_dot, &b));
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) {
      const ConstraintValue v = value_of(c);
      if (b) b[c.dof] += l_dot[c.dof];
      if (d_bar_dot && !(*d_bar_dot)[v.control].empty())
        (*d_bar_dot)[v.control][v.entry] -= l_dot[c.dof] * v.factor;
      l[c.dof] = l_dot[c.dof] = 0;
    }
  if (u_bar_dot) check(VecRestoreArray(u_bar_dot, &b));
  check(VecRestoreArray(masked_dot, &l_dot));
  check(VecRestoreArray(masked, &l));
  raw_vjp_tangent(u, masked, u_dot, masked_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
