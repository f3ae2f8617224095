#pragma once
#include <string>
#include <vector>

namespace invar {

/// A map θ ↦ w from a few numbers to displacements [m] of given points, by their undeformed positions. Derivatives are
/// exact; `w` and `w_bar` are [points × dim].
class BoundaryMap {
 public:
  virtual ~BoundaryMap() = default;
  /// One name per number, for reports, e.g. "ffd_2_1_y".
  virtual std::vector<std::string> names() const = 0;
  int size() const { return static_cast<int>(names().size()); }
  virtual int point_count() const = 0;

  /// w = w(θ)
  virtual void displace(const double* theta, double* w) const = 0;
  /// w_dot = ∂w/∂θ · θ_dot
  virtual void jvp(const double* theta, const double* theta_dot, double* w_dot) const = 0;
  /// θ_bar += (∂w/∂θ)ᵀ w_bar
  virtual void vjp(const double* theta, const double* w_bar, double* theta_bar) const = 0;
  /// Derivative of the result of `vjp` along θ_dot: θ_bar_dot += (d/dε ∂w/∂θ)ᵀ w_bar. Zero for linear maps.
  virtual void vjp_tangent(const double* theta, const double* theta_dot, const double* w_bar,
                           double* theta_bar_dot) const = 0;
};

}  // namespace invar
