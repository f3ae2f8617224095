#include "libfem/objective/reaction.hpp"

#include <algorithm>

#include "libfem/math/rigid_velocity.hpp"

namespace invar {

Reaction::Reaction(std::shared_ptr<FormResidual> residual, const std::string& region, const Weight& weight, Of of, const std::vector<std::string>& tied, Arms arms)
    : residual_(std::move(residual)), weight_(weight), deformed_(arms == Arms::deformed) {
  std::array<bool, 3> wanted{};
  for (int i = 0; i < 3; ++i)
    wanted[i] = weight_.constant[i] != 0 || std::ranges::any_of(weight_.slope[i], [](double v) { return v != 0; });
  share_ = RegionShare::of(*residual_, region, wanted, of, tied);
  for (const auto& row : weight_.slope)
    for (double v : row) turns_ |= v != 0;
}

std::unique_ptr<Reaction> Reaction::force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::vector<double>& direction, Of of,
                                          const std::vector<std::string>& tied) {
  Weight w;
  for (std::size_t i = 0; i < direction.size(); ++i) w.constant[i] = direction[i];
  return std::unique_ptr<Reaction>(new Reaction(std::move(residual), region, w, of, tied, Arms::undeformed));
}

std::unique_ptr<Reaction> Reaction::moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                           const std::array<double, 3>& p, const std::array<double, 3>& axis, Of of,
                                           const std::vector<std::string>& tied, Arms arms) {
  const RigidVelocity motion = RigidVelocity::about(p, axis, residual->dofs().mesh().dim);
  return std::unique_ptr<Reaction>(new Reaction(std::move(residual), region, {motion.constant, motion.slope}, of, tied, arms));
}

template <class Use>
void Reaction::for_rows(Use&& use) const {
  const DofMap& dofs = residual_->dofs();
  for (std::size_t k = 0; k < share_.nodes.size(); ++k)
    for (int i = 0; i < dofs.mesh().dim; ++i)
      if (const int node = share_.nodes[k], dof = dofs.dof(node, i); dof >= 0) use(k, node, i, dof);
}

VecHandle Reaction::velocity(const Piece& piece, double factor, double constant, const double* x, Vec displacement) const {
  const DofMap& dofs = residual_->dofs();
  const int dim = dofs.mesh().dim;
  VecHandle w = dofs.create_vector();
  const double* moved = nullptr;
  double* a = nullptr;
  if (displacement) check(VecGetArrayRead(displacement, &moved));
  check(VecGetArray(w, &a));
  for_rows([&](std::size_t k, int node, int i, int dof) {
    double v = constant * weight_.constant[i];
    for (int j = 0; j < dim; ++j) {
      const int other = moved ? dofs.dof(node, j) : -1;
      v += weight_.slope[i][j] * ((x ? x[std::size_t(node) * dim + j] : 0.0) + (other >= 0 ? moved[other] : 0.0));
    }
    a[dof] = factor * piece.factor[k * dim + i] * v;
  });
  check(VecRestoreArray(w, &a));
  if (displacement) check(VecRestoreArrayRead(displacement, &moved));
  return w;
}

VecHandle Reaction::weights(const EvaluationPoint& u, const Piece& piece, double factor) const {
  return velocity(piece, factor, 1, residual_->coordinates(u.given).data(), deformed_ ? u.levels[Level::value] : nullptr);
}

VecHandle Reaction::weights_change(const State& u_dot, const Controls* d_dot, const Piece& piece, double factor) const {
  if (!turns_) return {};
  const int coordinates = residual_->coordinates_control();
  const double* x_dot = d_dot && coordinates >= 0 && !(*d_dot)[coordinates].empty() ? (*d_dot)[coordinates].data() : nullptr;
  const Vec displacement = deformed_ ? u_dot.levels[Level::value] : nullptr;
  if (!x_dot && !displacement) return {};
  return velocity(piece, factor, 0, x_dot, displacement);
}

void Reaction::add_weight_gradient(const Piece& piece, double factor, Vec r, const State& u_bar, Controls* d_bar) const {
  const int coordinates = residual_->coordinates_control();
  std::vector<double>* x_bar = d_bar && coordinates >= 0 && !(*d_bar)[coordinates].empty() ? &(*d_bar)[coordinates] : nullptr;
  const Vec displacement = deformed_ ? u_bar.levels[Level::value] : nullptr;
  const DofMap& dofs = residual_->dofs();
  const int dim = dofs.mesh().dim;
  const double* force = nullptr;
  double* moved = nullptr;
  check(VecGetArrayRead(r, &force));
  if (displacement) check(VecGetArray(displacement, &moved));
  for_rows([&](std::size_t k, int node, int i, int dof) {
    for (int j = 0; j < dim; ++j) {
      const double v = factor * piece.factor[k * dim + i] * weight_.slope[i][j] * force[dof];
      if (x_bar) (*x_bar)[std::size_t(node) * dim + j] += v;
      if (const int other = moved ? dofs.dof(node, j) : -1; other >= 0) moved[other] += v;
    }
  });
  if (displacement) check(VecRestoreArray(displacement, &moved));
  check(VecRestoreArrayRead(r, &force));
}

void Reaction::evaluate(const EvaluationPoint& u, double* y) {
  *y = 0;
  VecHandle r = residual_->create_vector();
  for (const Piece& piece : share_.pieces) {
    residual_->raw_residual(u, r, piece.part);
    double part = 0;
    check(VecDot(weights(u, piece, 1.0), r, &part));
    *y += part;
  }
}

// ---- forward, then reverse ----------------------------------------------------------------------

void Reaction::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  *y_dot = 0;
  VecHandle r = residual_->create_vector();
  for (const Piece& piece : share_.pieces) {
    double part = 0;
    residual_->raw_jvp(u, u_dot, d_dot, r, piece.part);
    check(VecDot(weights(u, piece, 1.0), r, &part));
    *y_dot += part;
    const VecHandle change = weights_change(u_dot, d_dot, piece, 1.0);
    if (!change) continue;
    residual_->raw_residual(u, r, piece.part);
    check(VecDot(change, r, &part));
    *y_dot += part;
  }
}

void Reaction::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  for (const Piece& piece : share_.pieces) {
    residual_->raw_vjp(u, weights(u, piece, y_bar[0]), u_bar, d_bar, piece.part);
    if (!position_varies()) continue;
    VecHandle r = residual_->create_vector();
    residual_->raw_residual(u, r, piece.part);
    add_weight_gradient(piece, y_bar[0], r, u_bar, d_bar);
  }
}

void Reaction::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) {
  for (const Piece& piece : share_.pieces) {
    VecHandle w_dot = weights(u, piece, y_bar_dot ? y_bar_dot[0] : 0.0);
    if (const VecHandle change = weights_change(u_dot, d_dot, piece, y_bar[0])) check(VecAXPY(w_dot, 1.0, change));
    residual_->raw_vjp_tangent(u, weights(u, piece, y_bar[0]), u_dot, w_dot, d_dot, u_bar_dot, d_bar_dot, piece.part);
    if (!position_varies()) continue;
    VecHandle r = residual_->create_vector();
    residual_->raw_jvp(u, u_dot, d_dot, r, piece.part);
    add_weight_gradient(piece, y_bar[0], r, u_bar_dot, d_bar_dot);
    if (y_bar_dot && y_bar_dot[0] != 0) {
      residual_->raw_residual(u, r, piece.part);
      add_weight_gradient(piece, y_bar_dot[0], r, u_bar_dot, d_bar_dot);
    }
  }
}

}  // namespace invar
