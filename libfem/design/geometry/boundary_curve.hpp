#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A chain of facets in 2-D in order; the same on every rank except `positions`. The domain lies to its left: outer
/// boundaries are counter-clockwise. A closed curve starts at its rightmost vertex (the lowest of several), such as the
/// trailing edge of an airfoil.
struct BoundaryCurve {
  bool closed = false;
  double length = 0;               // m
  std::vector<long long> nodes;    // along the curve, each once; numbers in the serial mesh
  std::vector<double> parameters;  // [nodes], arc length / length; from 0 to 1, where closed below 1
  std::vector<double> points;      // [nodes × 2], m
  std::vector<double> normals;     // [nodes × 2], unit, to the right: outwards; bisecting at corners
  std::vector<int> positions;      // for each of region->nodes of this rank: its index in the arrays above
};

/// Follows the facets of a region, straight or curved (collective). Throws std::invalid_argument if the mesh is not
/// 2-D, or the region does not exist, is empty, branches, has several pieces or turns back by 180°.
BoundaryCurve arc_length_parameters(const Mesh& mesh, const std::string& region);

}  // namespace invar
