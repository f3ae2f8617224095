#pragma once
#include "libfluid/flow/flow_densities.hpp"

namespace invar {

// What a closed boundary of the fluid encloses, by Gauss's theorem over its facets, whose normals n point out
// of the fluid. Gaps that are closed by planes of coordinate zero along the component do not count: half a body
// at a plane of symmetry, an axisymmetric one at its axis.

template <class K>
struct EnclosedDensity {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = value_slots<1>();
  static constexpr bool functional = true, symmetric = true, uses_position = true;

  int component = 0;  // i; the axial one in axisymmetric flow
  int n_coefficients() const { return 0; }

  template <class T>
  INVAR_HD T normal(const FlowFacetGeometry<K, T>& g) const {
    return T((area_vector(g.A) * K::ring(g))[component]);
  }
};

/// −x_i n_i: the volume [m³], per metre of depth where planar.
template <class K>
struct EnclosedVolume : EnclosedDensity<K> {
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const FlowFacetGeometry<K, Tg>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(-(g.x[this->component] * this->normal(g)));
  }
};

/// −½ x_i² n_i: the volume times the centroid.
template <class K>
struct EnclosedMoment : EnclosedDensity<K> {
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const FlowFacetGeometry<K, Tg>& g, const Tp*) const {
    const Tg x = g.x[this->component];
    return PromotedOf<Tz, Tg, Tp>(-0.5 * (x * x * this->normal(g)));
  }
};

}  // namespace invar
