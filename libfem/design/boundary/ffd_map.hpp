#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "libfem/design/boundary/boundary_map.hpp"

namespace invar {

/// What of a free-form deformation's lattice may move.
struct FfdOptions {
  /// Highest degree of the splines; 0: a lattice direction of n points gets degree n − 1 (Bernstein).
  int degree = 0;
  /// Components that may move: x, y, z.
  std::array<bool, 3> components{true, true, true};
  /// Outermost lattice layers that stay, [axis][lower, upper face of the box]. With k ≥ 1 of them the
  /// deformation joins the rest of the space at that face with k − 1 continuous derivatives.
  std::array<std::array<int, 2>, 3> frozen_layers{};
  /// A plane across an axis through the middle of the box, or on a face of it (half models).
  struct SymmetryPlane {
    int axis = 0;
    double position = 0;  // m
  };
  std::optional<SymmetryPlane> symmetry;
};

/// Free-form deformation (T. W. Sederberg and S. R. Parry, SIGGRAPH 1986): the numbers are the
/// displacements [m] of a lattice of control points that is spread over a box [lower, upper], m. It
/// moves the points [n × dim] that lie in the box; others stay. A direction of one lattice point has
/// no variation. Names: ffd_<i>_<j>[_<k>]_<axis>, counted from zero at `lower`; where symmetry ties
/// lattice points together, the name is that of the first, or of the one on the plane.
/// Symmetry about the middle: mirrored points have mirrored displacements. About a face: points of
/// the face stay on it, and the body continued by its mirror image remains smooth there.
/// Throws std::invalid_argument where the box is empty, the plane is elsewhere, a layer does not
/// exist or nothing is left to move.
std::unique_ptr<BoundaryMap> make_ffd_map(const std::vector<double>& points, int dim,
                                          const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                                          const std::array<int, 3>& counts, const FfdOptions& options = {});

}  // namespace invar
