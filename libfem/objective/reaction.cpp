#include "libfem/objective/reaction.hpp"

#include <algorithm>

#include "libfem/math/rigid_velocity.hpp"

namespace invar {

Reaction::Reaction(std::shared_ptr<FormResidual> residual, const std::string& region, const Weight& weight, Of of, const std::vector<std::string>& tied)
    : residual_(std::move(residual)), weight_(weight) {
  std::array<bool, 3> wanted{};
  for (int i = 0; i < 3; ++i)
    wanted[i] = weight_.constant[i] != 0 || std::ranges::any_of(weight_.slope[i], [](double v) { return v != 0; });
  share_ = RegionShare::of(*residual_, region, wanted, of, tied);
  for (const auto& row : weight_.slope)
    for (double v : row) turns_ |= v != 0;
  turns_ &= residual_->coordinates_control() >= 0;
}

std::unique_ptr<Reaction> Reaction::force(std::shared_ptr<FormResidual> residual, const std::string& region,
                                          const std::vector<double>& direction, Of of,
                                          const std::vector<std::string>& tied) {
  Weight w;
  for (std::size_t i = 0; i < direction.size(); ++i) w.constant[i] = direction[i];
  return std::unique_ptr<Reaction>(new Reaction(std::move(residual), region, w, of, tied));
}

std::unique_ptr<Reaction> Reaction::moment(std::shared_ptr<FormResidual> residual, const std::string& region,
                                           const std::array<double, 3>& p, const std::array<double, 3>& axis, Of of,
                                           const std::vector<std::string>& tied) {
  const RigidVelocity motion = RigidVelocity::about(p, axis, residual->dofs().mesh().dim);
  return std::unique_ptr<Reaction>(new Reaction(std::move(residual), region, {motion.constant, motion.slope}, of, tied));
}

VecHandle Reaction::weights(const Setting& given, const Piece& piece, double factor, const double* x_dot) const {
  const DofMap& dofs = residual_->dofs();
  const int dim = dofs.mesh().dim;
  VecHandle w = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(w, &a));
  for (std::size_t k = 0; k < share_.nodes.size(); ++k) {
    const int node = share_.nodes[k];
    const double* x = (x_dot ? x_dot : residual_->coordinates(given).data()) + std::size_t(node) * dim;
    for (int i = 0; i < dim; ++i)
      if (const int dof = dofs.dof(node, i); dof >= 0) {
        double v = x_dot ? 0.0 : weight_.constant[i];
        for (int j = 0; j < dim; ++j) v += weight_.slope[i][j] * x[j];
        a[dof] = factor * piece.factor[k * dim + i] * v;
      }
  }
  check(VecRestoreArray(w, &a));
  return w;
}

void Reaction::add_weight_gradient(const Piece& piece, double factor, Vec r, Controls* d_bar) const {
  if (!turns_ || !d_bar) return;
  std::vector<double>& x_bar = (*d_bar)[residual_->coordinates_control()];
  if (x_bar.empty()) return;
  const DofMap& dofs = residual_->dofs();
  const int dim = dofs.mesh().dim;
  const double* a = nullptr;
  check(VecGetArrayRead(r, &a));
  for (std::size_t k = 0; k < share_.nodes.size(); ++k)
    for (int i = 0; i < dim; ++i)
      if (const int node = share_.nodes[k], dof = dofs.dof(node, i); dof >= 0)
        for (int j = 0; j < dim; ++j)
          x_bar[std::size_t(node) * dim + j] += factor * piece.factor[k * dim + i] * weight_.slope[i][j] * a[dof];
  check(VecRestoreArrayRead(r, &a));
}

const double* Reaction::coordinate_direction(const Controls* d_dot) const {
  if (!turns_ || !d_dot) return nullptr;
  const std::vector<double>& x_dot = (*d_dot)[residual_->coordinates_control()];
  return x_dot.empty() ? nullptr : x_dot.data();
}

void Reaction::evaluate(const EvaluationPoint& u, double* y) {
  *y = 0;
  VecHandle r = residual_->create_vector();
  for (const Piece& piece : share_.pieces) {
    residual_->raw_residual(u, r, piece.part);
    double part = 0;
    check(VecDot(weights(u.given, piece, 1.0), r, &part));
    *y += part;
  }
}

// ---- forward, then reverse ----------------------------------------------------------------------

void Reaction::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  *y_dot = 0;
  VecHandle r = residual_->create_vector();
  const double* x_dot = coordinate_direction(d_dot);
  for (const Piece& piece : share_.pieces) {
    double part = 0;
    residual_->raw_jvp(u, u_dot, d_dot, r, piece.part);
    check(VecDot(weights(u.given, piece, 1.0), r, &part));
    *y_dot += part;
    if (!x_dot) continue;
    residual_->raw_residual(u, r, piece.part);
    check(VecDot(weights(u.given, piece, 1.0, x_dot), r, &part));
    *y_dot += part;
  }
}

void Reaction::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  for (const Piece& piece : share_.pieces) {
    residual_->raw_vjp(u, weights(u.given, piece, y_bar[0]), u_bar, d_bar, piece.part);
    if (!turns_) continue;
    VecHandle r = residual_->create_vector();
    residual_->raw_residual(u, r, piece.part);
    add_weight_gradient(piece, y_bar[0], r, d_bar);
  }
}

void Reaction::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) {
  const double* x_dot = coordinate_direction(d_dot);
  for (const Piece& piece : share_.pieces) {
    VecHandle w_dot = weights(u.given, piece, y_bar_dot ? y_bar_dot[0] : 0.0);
    if (x_dot) check(VecAXPY(w_dot, 1.0, weights(u.given, piece, y_bar[0], x_dot)));
    residual_->raw_vjp_tangent(u, weights(u.given, piece, y_bar[0]), u_dot, w_dot, d_dot, u_bar_dot, d_bar_dot, piece.part);
    if (!turns_) continue;
    VecHandle r = residual_->create_vector();
    residual_->raw_jvp(u, u_dot, d_dot, r, piece.part);
    add_weight_gradient(piece, y_bar[0], r, d_bar_dot);
    if (y_bar_dot && y_bar_dot[0] != 0) {
      residual_->raw_residual(u, r, piece.part);
      add_weight_gradient(piece, y_bar_dot[0], r, d_bar_dot);
    }
  }
}

}  // namespace invar
