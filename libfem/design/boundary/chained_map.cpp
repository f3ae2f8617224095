#include "libfem/design/boundary/chained_map.hpp"

#include <stdexcept>

namespace invar {
ChainedMap::ChainedMap(std::vector<double> points, std::unique_ptr<BoundaryMap> shape, RigidMotion motion)
    : points_(std::move(points)), shape_(std::move(shape)), motion_(std::move(motion)), n_shape_(shape_->size()) {
  if (points_.size() != std::size_t(shape_->point_count()) * motion_.dim())
    throw std::invalid_argument("a shape and the rigid motion that follows it must have the same points");
}

std::vector<std::string> ChainedMap::names() const {
  std::vector<std::string> names = shape_->names();
  for (std::string& name : motion_.names()) names.push_back(std::move(name));
  return names;
}

std::vector<double> ChainedMap::shaped(const double* theta) const {
  std::vector<double> y(points_.size());
  shape_->displace(theta, y.data());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += points_[i];
  return y;
}

void ChainedMap::displace(const double* theta, double* w) const {
  motion_.move(theta + n_shape_, shaped(theta), w);
  for (std::size_t i = 0; i < points_.size(); ++i) w[i] -= points_[i];
}

void ChainedMap::jvp(const double* theta, const double* theta_dot, double* w_dot) const {
  std::vector<double> y_dot(points_.size());
  shape_->jvp(theta, theta_dot, y_dot.data());
  motion_.jvp(theta + n_shape_, theta_dot + n_shape_, shaped(theta), y_dot, w_dot);
}

void ChainedMap::vjp(const double* theta, const double* w_bar, double* theta_bar) const {
  motion_.vjp(theta + n_shape_, shaped(theta), w_bar, theta_bar + n_shape_);
  shape_->vjp(theta, motion_.pull_back(theta + n_shape_, w_bar, point_count()).data(), theta_bar);
}

void ChainedMap::vjp_tangent(const double* theta, const double* theta_dot, const double* w_bar,
                             double* theta_bar_dot) const {
  const double *motion_theta = theta + n_shape_, *motion_dot = theta_dot + n_shape_;
  std::vector<double> y_dot(points_.size());
  shape_->jvp(theta, theta_dot, y_dot.data());
  motion_.vjp_tangent(motion_theta, motion_dot, shaped(theta), y_dot, w_bar, theta_bar_dot + n_shape_);

  const auto y_bar = motion_.pull_back(motion_theta, w_bar, point_count());
  const auto y_bar_dot = motion_.pull_back_tangent(motion_theta, motion_dot, w_bar, point_count());
  shape_->vjp_tangent(theta, theta_dot, y_bar.data(), theta_bar_dot);
  shape_->vjp(theta, y_bar_dot.data(), theta_bar_dot);
}

}  // namespace invar
