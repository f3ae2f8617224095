#pragma once
#include <memory>

#include "libfem/design/boundary/boundary_map.hpp"
#include "libfem/design/boundary/rigid_motion.hpp"

namespace invar {

/// A change of shape followed by a rigid motion: w = rigid motion of (x + w_shape) − x. θ: the numbers of the shape,
/// then of the motion.
class ChainedMap final : public BoundaryMap {
 public:
  /// points: [n × motion.dim()], m. Throws std::invalid_argument if the shape has another number of points.
  ChainedMap(std::vector<double> points, std::unique_ptr<BoundaryMap> shape, RigidMotion motion);

  std::vector<std::string> names() const override;
  int point_count() const override { return shape_->point_count(); }
  void displace(const double* theta, double* w) const override;
  void jvp(const double* theta, const double* theta_dot, double* w_dot) const override;
  void vjp(const double* theta, const double* w_bar, double* theta_bar) const override;
  void vjp_tangent(const double* theta, const double* theta_dot, const double* w_bar,
                   double* theta_bar_dot) const override;

 private:
  std::vector<double> shaped(const double* theta) const;  // x + w_shape

  std::vector<double> points_;
  std::unique_ptr<BoundaryMap> shape_;
  RigidMotion motion_;
  int n_shape_;  // number of shape variables
};

}  // namespace invar
