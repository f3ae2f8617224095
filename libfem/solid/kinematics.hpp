#pragma once
#include <array>
#include <numbers>

#include "libfem/form/q_function.hpp"
#include "libfem/math/static_for.hpp"
#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

/// Displacement gradient H = ∂u/∂X (3 × 3) of a 3-D or 2-D mesh. Each slot z_s contributes to one entry of H, times 1
/// or (hoop strain) 1/r: one table defines H and its transpose.
struct HEntry {
  int index;          // 3·i + j
  bool over_radius;   // H_ij = z_s / r
};

struct SpatialKinematics {
  static constexpr int dim = 3;
  static constexpr bool uses_position = false;
  static constexpr auto slots = gradient_slots<3, 3>();
  static constexpr std::array<HEntry, 9> entries{{{0, false}, {1, false}, {2, false}, {3, false}, {4, false},
                                                  {5, false}, {6, false}, {7, false}, {8, false}}};
  template <class G>
  INVAR_HD static auto volume(const G& g) { return g.measure; }
};

/// Plane strain, per unit thickness; plane stress with a material that eliminates H₃₃.
struct PlanarKinematics {
  static constexpr int dim = 2;
  static constexpr bool uses_position = false;
  static constexpr auto slots = gradient_slots<2, 2>();
  static constexpr std::array<HEntry, 4> entries{{{0, false}, {1, false}, {3, false}, {4, false}}};
  template <class G>
  INVAR_HD static auto volume(const G& g) { return g.measure; }
};

/// x is the radius r, y the axis; integrals run over the full circle 2πr.
struct AxisymmetricKinematics {
  static constexpr int dim = 2;
  static constexpr bool uses_position = true;
  static constexpr auto slots = join(gradient_slots<2, 2>(), std::array<Slot, 1>{{{0, -1}}});
  static constexpr std::array<HEntry, 5> entries{{{0, false}, {1, false}, {3, false}, {4, false}, {8, true}}};
  template <class G>
  INVAR_HD static auto volume(const G& g) { return (2 * std::numbers::pi) * g.x[0] * g.measure; }
};

/// H with entries of type R from slot values (the first K::slots.size() entries of z are read).
template <class K, class R, class T, class Tg, std::size_t N>
INVAR_HD Matrix<R, 3, 3> displacement_gradient(const std::array<T, N>& z,
                                               const PointGeometry<Tg, K::dim, K::dim>& g) {
  Matrix<R, 3, 3> H;
  for (int k = 0; k < 9; ++k) H.entries[k] = R(0.0);
  static_for<static_cast<int>(K::slots.size())>([&](auto s) {
    constexpr HEntry e = K::entries[s];
    if constexpr (e.over_radius) H.entries[e.index] = R(z[s] / g.x[0]);
    else H.entries[e.index] = R(z[s]);
  });
  return H;
}

/// ∂H/∂z of slot s at its entry: 1 or 1/r.
template <class K, class Tg>
INVAR_HD Tg h_factor(std::size_t s, const PointGeometry<Tg, K::dim, K::dim>& g) {
  constexpr auto entries = K::entries;
  if constexpr (K::uses_position) return entries[s].over_radius ? Tg(1.0) / g.x[0] : Tg(1.0);
  else return Tg(1.0);
}

/// det(I + H)
template <class T>
INVAR_HD T volume_ratio(const Matrix<T, 3, 3>& H) {
  return det(deformation_gradient(H));
}

}  // namespace invar
