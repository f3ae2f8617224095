#include "libfem/objective/reaction.hpp"

namespace invar {

Reaction::Reaction(std::shared_ptr<FormResidual> residual, VecHandle weights)
    : residual_(std::move(residual)), weights_(std::move(weights)) {}

std::unique_ptr<Reaction> Reaction::make(std::shared_ptr<FormResidual> residual, const std::string& region,
                                         const std::function<std::array<double, 3>(const double* x)>& weight) {
  const DofMap& dofs = residual->dofs();
  VecHandle w = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(w, &a));
  if (const Region* r = dofs.mesh().find_region(region))
    for (int node : r->nodes) {
      if (node >= dofs.mesh().n_owned_nodes) continue;
      const std::array<double, 3> v = weight(&dofs.mesh().coordinates[std::size_t(node) * dofs.mesh().dim]);
      for (int i = 0; i < dofs.mesh().dim; ++i)
        if (const int dof = dofs.dof(node, i); dof >= 0) a[dof] = v[i];
    }
  check(VecRestoreArray(w, &a));
  return std::unique_ptr<Reaction>(new Reaction(std::move(residual), std::move(w)));
}

std::unique_ptr<Reaction> Reaction::force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::vector<double>& direction) {
  return make(std::move(residual), region, [&](const double*) {
    std::array<double, 3> v{};
    for (std::size_t i = 0; i < direction.size(); ++i) v[i] = direction[i];
    return v;
  });
}

std::unique_ptr<Reaction> Reaction::moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                           const std::array<double, 3>& p, const std::array<double, 3>& axis) {
  const int dim = residual->dofs().mesh().dim;
  const std::array<double, 3> a = dim == 2 ? std::array<double, 3>{0, 0, 1} : axis;
  return make(std::move(residual), region, [&](const double* x) -> std::array<double, 3> {
    const double d[3] = {x[0] - p[0], x[1] - p[1], dim == 3 ? x[2] - p[2] : 0.0};
    return {a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2], a[0] * d[1] - a[1] * d[0]};
  });
}

void Reaction::evaluate(Vec u, double* y) {
  VecHandle r = residual_->create_vector();
  residual_->raw_residual(u, r);
  check(VecDot(weights_, r, y));
}

void Reaction::jvp(Vec u, Vec u_dot, const Controls* d_dot, double* y_dot) {
  VecHandle r_dot = residual_->create_vector();
  residual_->raw_jvp(u, u_dot, d_dot, r_dot);
  check(VecDot(weights_, r_dot, y_dot));
}

void Reaction::vjp(Vec u, const double* y_bar, Vec u_bar, Controls* d_bar) {
  VecHandle w = zeros_like(weights_);
  check(VecAXPY(w, y_bar[0], weights_));
  residual_->raw_vjp(u, w, u_bar, d_bar);
}

void Reaction::vjp_tangent(Vec u, const double* y_bar, const double* y_bar_dot, Vec u_dot, const Controls* d_dot,
                           Vec u_bar_dot, Controls* d_bar_dot) {
  VecHandle w = zeros_like(weights_), w_dot = zeros_like(weights_);
  check(VecAXPY(w, y_bar[0], weights_));
  if (y_bar_dot) check(VecAXPY(w_dot, y_bar_dot[0], weights_));
  residual_->raw_vjp_tangent(u, w, u_dot, w_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
