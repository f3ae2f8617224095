#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A chain of facets in 2-D, in order; the same on every rank but for `positions`. It runs so that
/// what the facets bound lies to its left: an outer boundary counter-clockwise. A closed one starts
/// at its rightmost vertex (the lowest of several), as an airfoil's does at the trailing edge.
struct BoundaryCurve {
  bool closed = false;
  double length = 0;               // m
  std::vector<long long> nodes;    // along the curve, each once; numbers in the serial mesh
  std::vector<double> parameters;  // [nodes], arc length / length; from 0 to 1, where closed below 1
  std::vector<double> points;      // [nodes × 2], m
  std::vector<double> normals;     // [nodes × 2], unit, to the right: outwards; bisecting at corners
  std::vector<int> positions;      // of each of region->nodes of this rank in the arrays above
};

/// Follows the facets of a region, straight or curved (collective). Throws std::invalid_argument
/// where the mesh is not 2-D, or the region does not exist, is empty, branches, is in several pieces
/// or turns back by 180°.
BoundaryCurve arc_length_parameters(const Mesh& mesh, const std::string& region);

}  // namespace invar
