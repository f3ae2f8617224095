#pragma once
#include <array>
#include <memory>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// A law whose stress-free state has grown differently along different directions: G = I + g, with a symmetric tensor g whose components
/// xx, yy, zz, xy, xz, yz are the last parameters (axisymmetric: x radial, y axial, z along the circumference). Growth, drying, thermal
/// expansion of layered or fibrous bodies, active strain.
///   W(F) = det G W_e(F G⁻¹)          finite strain, per volume of the reference
///   W(ε) = W_e(ε − g)                small strain
/// G must be positive definite; where it is not, results are undefined. In plane stress the thickness follows freely, and xz and yz are not
/// read. Rodriguez, Hoger, McCulloch: J. Biomech. 27 (1994).
class GrownMaterial final : public WrappedMaterial<GrownMaterial> {
 public:
  explicit GrownMaterial(std::unique_ptr<Material> elastic);

 private:
  friend WrappedMaterial;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const;
};

extern template class WrappedMaterial<GrownMaterial>;

inline constexpr std::array<ParamSpec, 6> growth_parameters{{
    {.key = "growth_xx", .unit = "1", .doc = "component of the growth tensor g: without stress, a line along x is 1 + g_xx times that of the mesh", .default_value = 0, .lower = -1, .lower_open = true},
    {.key = "growth_yy", .unit = "1", .doc = "likewise along y", .default_value = 0, .lower = -1, .lower_open = true},
    {.key = "growth_zz", .unit = "1", .doc = "likewise along z; axisymmetric: along the circumference", .default_value = 0, .lower = -1, .lower_open = true},
    {.key = "growth_xy", .unit = "1", .doc = "component of g: growth by e along a direction of angle a has g_xx = e cos² a, g_yy = e sin² a, g_xy = e sin a cos a", .default_value = 0},
    {.key = "growth_xz", .unit = "1", .doc = "likewise; in space only", .default_value = 0},
    {.key = "growth_yz", .unit = "1", .doc = "likewise; in space only", .default_value = 0},
}};

/// Index of the first growth parameter; −1: the law does not grow.
int growth_index(const Material& material);

/// Stress-free relative growth of volume, det(I + g) − 1, at small strains tr g, of the six components.
template <class T>
T grown_volume(const T* g, bool finite_strain) {
  const T &x = g[0], &y = g[1], &z = g[2], &xy = g[3], &xz = g[4], &yz = g[5];
  const T trace = x + y + z;
  if (!finite_strain) return trace;
  const T minors = x * y - xy * xy + x * z - xz * xz + y * z - yz * yz;
  const T determinant = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  return T(trace + minors + determinant);
}

}  // namespace invar
