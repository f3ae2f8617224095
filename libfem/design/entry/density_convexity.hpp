#pragma once
#include <string_view>

namespace invar {

/// How a quantity depends on a density at rest, if the potential energy is a convex quadratic function of the unknown and a concave one of the density.
enum class InDensity { unknown, convex, affine };

/// Of a quantity by its name. The compliance is convex: it is the largest value of −2 × potential energy over all states, each a convex function of the
/// density (Svanberg, On the convexity and concavity of compliances, 1994).
constexpr InDensity in_density(std::string_view quantity) {
  return quantity == "compliance" ? InDensity::convex : quantity == "material_volume" ? InDensity::affine : InDensity::unknown;
}

}  // namespace invar
