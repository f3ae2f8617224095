#pragma once
#include "libfem/design/boundary/boundary_map.hpp"
#include "libfem/design/boundary/rigid_motion.hpp"

namespace invar {

/// Rigid rotation and translation of points: angle of attack, position of a part.
class RigidMotionMap final : public BoundaryMap {
 public:
  /// points: [n × motion.dim()], m.
  RigidMotionMap(std::vector<double> points, RigidMotion motion)
      : points_(std::move(points)), at_rest_(points_.size(), 0.0), motion_(std::move(motion)) {}

  std::vector<std::string> names() const override { return motion_.names(); }
  int point_count() const override { return static_cast<int>(points_.size()) / motion_.dim(); }
  void displace(const double* theta, double* w) const override {
    motion_.move(theta, points_, w);
    for (std::size_t i = 0; i < points_.size(); ++i) w[i] -= points_[i];
  }
  void jvp(const double* theta, const double* theta_dot, double* w_dot) const override {
    motion_.jvp(theta, theta_dot, points_, at_rest_, w_dot);
  }
  void vjp(const double* theta, const double* w_bar, double* theta_bar) const override {
    motion_.vjp(theta, points_, w_bar, theta_bar);
  }
  void vjp_tangent(const double* theta, const double* theta_dot, const double* w_bar,
                   double* theta_bar_dot) const override {
    motion_.vjp_tangent(theta, theta_dot, points_, at_rest_, w_bar, theta_bar_dot);
  }

 private:
  std::vector<double> points_, at_rest_;  // x, and the rate of it
  RigidMotion motion_;
};

}  // namespace invar
