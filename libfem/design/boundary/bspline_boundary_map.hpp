#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libfem/design/boundary/linear_boundary_map.hpp"

namespace invar {

struct BsplineBoundaryOptions {
  int degree = 3;
  int control_points = 8;
  bool closed = false;  // s = 0 and s = 1 are one point of the curve
  /// Control points move along x and y, as allowed here, or else along the undeformed normals.
  std::array<bool, 2> components{true, true};
  bool along_normals = false;
  std::vector<double> normals;  // [points × 2], of unit length; where along_normals
  /// Control points that stay at the two ends of an open curve. With k ≥ 1 of them it joins what
  /// follows with k − 1 continuous derivatives.
  std::array<int, 2> frozen{};
};

/// Displacements of a boundary curve in 2-D as a B-spline in its parameter; the numbers are the
/// displacements [m] of its control points: w(s) = Σ_i θ_i N_i(s).
/// parameters: [points], s in [0, 1], as arc_length_parameters gives them.
/// Names: bspline_<i>_x, bspline_<i>_y or bspline_<i>_n (along the normal), i from zero at s = 0; on
/// closed curves of odd degree control i acts most at s = i / control_points.
/// Throws std::invalid_argument for fewer than degree + 1 control points, where sizes do not fit or
/// nothing is left to move.
std::unique_ptr<LinearBoundaryMap> make_bspline_boundary_map(const std::vector<double>& parameters,
                                                             const BsplineBoundaryOptions& options = {});

}  // namespace invar
