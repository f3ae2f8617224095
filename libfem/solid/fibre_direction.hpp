#pragma once
#include <array>
#include <numbers>

#include "libadjoint/param_spec.hpp"
#include "libfem/solid/green_strain.hpp"

namespace invar {

/// Undeformed direction of fibres, a unit vector by two angles [deg]: from x towards y, then out of the x-y plane
/// towards z. In axisymmetric bodies z is the circumference.
template <class S>
class FibreDirection {
 public:
  INVAR_HD FibreDirection(const S& angle, const S& elevation) {
    constexpr double degree = std::numbers::pi / 180;
    const S a = degree * angle, b = degree * elevation, level = cos(b);
    x_ = cos(a) * level, y_ = sin(a) * level, z_ = sin(b);
  }

  /// E a, for a symmetric E.
  template <class T>
  INVAR_HD std::array<T, 3> times(const GreenStrain<T>& E) const {
    return {T(x_ * E[0] + y_ * E[3] + z_ * E[5]), T(x_ * E[3] + y_ * E[1] + z_ * E[4]), T(x_ * E[5] + y_ * E[4] + z_ * E[2])};
  }
  /// a·v.
  template <class T>
  INVAR_HD T dot(const std::array<T, 3>& v) const {
    return T(x_ * v[0] + y_ * v[1] + z_ * v[2]);
  }

 private:
  S x_, y_, z_;
};

namespace fibre_constants {

constexpr ParamSpec angle(std::string_view key) {
  return {.key = key, .unit = "deg", .doc = "direction of the fibres before deformation, from x towards y"};
}
constexpr ParamSpec elevation(std::string_view key) {
  return {.key = key, .unit = "deg", .doc = "direction of the fibres out of the x-y plane, towards z (axisymmetric: along the circumference)", .default_value = 0};
}

}  // namespace fibre_constants
}  // namespace invar
