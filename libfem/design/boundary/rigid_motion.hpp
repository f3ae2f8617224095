#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/math/dual.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// Rotation about a point (in 3-D about an axis through it) and translation:
///   y ↦ c + R(α)(y − c) + t,   θ = {α [rad], t_x, t_y, t_z [m]}, those that are free.
/// Positive angles are counter-clockwise in 2-D and right-handed about the axis in 3-D. Points y, their rates and
/// adjoints are [n × dim].
class RigidMotion {
 public:
  struct Options {
    std::array<double, 3> centre{};       // c, m
    std::array<double, 3> axis{0, 0, 1};  // 3-D only; any length
    bool rotates = true;
    std::array<bool, 3> translates{true, true, true};
  };
  /// Throws std::invalid_argument if the axis has no length or nothing is free.
  RigidMotion(int dim, const Options& options);

  int dim() const { return dim_; }
  /// Names of the free ones of "angle", "t_x", "t_y", "t_z".
  std::vector<std::string> names() const;

  /// z = positions of the points y after the motion.
  void move(const double* theta, const std::vector<double>& y, double* z) const;
  /// z_dot for rates of θ and y.
  void jvp(const double* theta, const double* theta_dot, const std::vector<double>& y, const std::vector<double>& y_dot,
           double* z_dot) const;
  /// θ_bar += (∂z/∂θ)ᵀ z_bar
  void vjp(const double* theta, const std::vector<double>& y, const double* z_bar, double* theta_bar) const;
  /// θ_bar_dot += derivative of the θ_bar of `vjp` for rates of θ and y.
  void vjp_tangent(const double* theta, const double* theta_dot, const std::vector<double>& y,
                   const std::vector<double>& y_dot, const double* z_bar, double* theta_bar_dot) const;
  /// y_bar = (∂z/∂y)ᵀ z_bar for n_points points, and its derivative for a rate of θ.
  std::vector<double> pull_back(const double* theta, const double* z_bar, int n_points) const;
  std::vector<double> pull_back_tangent(const double* theta, const double* theta_dot, const double* z_bar,
                                        int n_points) const;

 private:
  /// R and its first and second derivative by the angle.
  struct Rotation {
    Matrix<double, 3, 3> R, dR, ddR;
  };
  Rotation rotation(const double* theta) const;
  /// Angle and translation, zero if not free.
  struct Numbers {
    double angle = 0;
    Vector<double, 3> shift{};
  };
  Numbers numbers(const double* theta) const;
  Vector<double, 3> arm(const std::vector<double>& y, std::size_t point) const;  // y − c

  int dim_;
  Options options_;  // with an axis of unit length
};

}  // namespace invar
