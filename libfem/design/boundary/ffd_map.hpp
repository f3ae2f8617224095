#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "libfem/design/boundary/boundary_map.hpp"

namespace invar {

/// Options of a free-form deformation lattice.
struct FfdOptions {
  /// Highest spline degree; 0: a lattice direction with n points gets degree n − 1 (Bernstein).
  int degree = 0;
  /// Components that may move: x, y, z.
  std::array<bool, 3> components{true, true, true};
  /// Fixed outermost lattice layers, [axis][lower, upper face of the box]. k ≥ 1 of them give k − 1 continuous
  /// derivatives at that face.
  std::array<std::array<int, 2>, 3> frozen_layers{};
  /// A symmetry plane normal to an axis through the middle of the box, or on a face of it (half models).
  struct SymmetryPlane {
    int axis = 0;
    double position = 0;  // m
  };
  std::optional<SymmetryPlane> symmetry;
};

/// Free-form deformation (T. W. Sederberg and S. R. Parry, SIGGRAPH 1986): θ are displacements [m] of a lattice of
/// control points over a box [lower, upper], m. Points [n × dim] inside the box move; others are fixed. A direction
/// with one lattice point has no variation. Names: ffd_<i>_<j>[_<k>]_<axis>, counted from zero at `lower`; symmetric
/// lattice points share the name of the first, or of the one on the plane.
/// Symmetry about the middle: mirrored points have mirrored displacements. About a face: points of the face stay on it,
/// and the body continued by its mirror image remains smooth there. Throws std::invalid_argument if the box is empty,
/// the plane is elsewhere, a layer does not exist or no point can move.
std::unique_ptr<BoundaryMap> make_ffd_map(const std::vector<double>& points, int dim,
                                          const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                                          const std::array<int, 3>& counts, const FfdOptions& options = {});

}  // namespace invar
