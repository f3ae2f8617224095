#pragma once
#include <array>
#include <utility>
#include <vector>

#include "libfem/mechanism/region_nodes.hpp"

namespace invar {

/// A point of a surface by its shape functions: values at nodes of the region, and how far it is from the point that was asked for, m.
struct OppositePoint {
  std::vector<std::pair<int, double>> nodes;
  double distance = 0;
};

/// Finds the point of a surface nearest to a given one.
class NearestOnSurface {
 public:
  explicit NearestOnSurface(const RegionNodes& surface);  // which must outlive it
  OppositePoint find(const std::array<double, 3>& x) const;
  /// The same on one facet of the surface.
  OppositePoint find_on(std::size_t facet, const std::array<double, 3>& x) const;
  /// Whether a facet may come near a ball.
  bool may_meet(std::size_t facet, const std::array<double, 3>& centre, double radius) const;

 private:
  struct Ball {
    std::array<double, 3> centre{};
    double radius = 0;
    std::vector<double> nodes;  // coordinates of the facet's nodes
  };
  const RegionNodes& surface_;
  std::vector<Ball> balls_;
};

/// A quadrature point of a surface with the opposite point of another one.
struct SeamPoint {
  std::array<double, 2> xi{};  // reference coordinates on the facet
  double weight = 0;           // area, m² (in 2-D length, m)
  OppositePoint opposite{};
};

/// Quadrature over the facets of a surface of products of its shape functions with those of another surface, which has kinks where its own
/// facets meet. In 2-D facets are divided at the projected nodes of the other surface, in 3-D into the polygons in which they overlap with its
/// projected facets (M. A. Puso, T. A. Laursen, Comput. Methods Appl. Mech. Eng. 193, 2004): exact for straight facets, of quadrilaterals
/// if they are parallelograms. Facets in 3-D that are curved, or lie opposite to curved ones, are divided into equal pieces, without regard to
/// kinks.
class SeamRule {
 public:
  SeamRule(const RegionNodes& side, const RegionNodes& other);  // which must outlive it
  std::vector<SeamPoint> on(const RegionNodes::Facet& facet) const;

 private:
  std::vector<SeamPoint> between_nodes(const RegionNodes::Facet& facet) const;
  /// Empty if facets are curved, or the other surface does not cover this one exactly once.
  std::vector<SeamPoint> on_overlaps(const RegionNodes::Facet& facet) const;
  std::vector<SeamPoint> on_pieces(const RegionNodes::Facet& facet) const;
  SeamPoint at(const RegionNodes::Facet& facet, std::array<double, 2> xi, double weight) const;

  const RegionNodes &side_, &other_;
  NearestOnSurface nearest_;
};

}  // namespace invar
