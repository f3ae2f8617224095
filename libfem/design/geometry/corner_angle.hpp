#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Position of a corner of a boundary curve in 2-D, and the part of its sides to be evaluated.
struct CornerOptions {
  int axis = 0;                // the corner is where this coordinate is least
  bool greatest = false;       // … or greatest
  std::array<double, 2> range{};  // distances from the corner along the axis between which the sides are fitted, m
  bool one_sided = false;      // the curve ends at the corner, and its mirror image is the other side
};

/// Angle [degrees] between the two sides of the body at the foremost (or rearmost) node of a boundary curve. A
/// parabola is fitted to each side's nodes in the range, because tips of discrete shapes are rounded, and the
/// tangents are taken where the tip is. coordinates: [node × 2] of this rank's nodes, moved or not. NaN where a
/// side has fewer than three nodes in the range. Collective. Throws std::invalid_argument for a region that is
/// no boundary.
double corner_angle(const Mesh& mesh, const std::string& region, const std::vector<double>& coordinates,
                    const CornerOptions& options);

}  // namespace invar
