#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libfem/design/boundary/linear_boundary_map.hpp"

namespace invar {

struct BsplineBoundaryOptions {
  int degree = 3;
  int control_points = 8;
  bool closed = false;  // s = 0 and s = 1 are the same point of the curve
  /// Control points move along x and y, as selected here, or along the undeformed normals.
  std::array<bool, 2> components{true, true};
  bool along_normals = false;
  std::vector<double> normals;  // [points × 2], of unit length; where along_normals
  /// Fixed control points at the two ends of an open curve. k ≥ 1 of them give k − 1 continuous derivatives at that
  /// end.
  std::array<int, 2> frozen{};
};

/// Displacement of a boundary curve in 2-D as a B-spline in its parameter, w(s) = Σ_i θ_i N_i(s); θ are displacements
/// [m] of the control points. parameters: [points], s in [0, 1], from arc_length_parameters. Names: bspline_<i>_x,
/// bspline_<i>_y or bspline_<i>_n (along the normal), i from zero at s = 0; on closed curves of odd degree control i
/// has its maximum at s = i / control_points. Throws std::invalid_argument for fewer than degree + 1 control points, if
/// sizes do not fit, or if no control point can move.
std::unique_ptr<LinearBoundaryMap> make_bspline_boundary_map(const std::vector<double>& parameters,
                                                             const BsplineBoundaryOptions& options = {});

}  // namespace invar
