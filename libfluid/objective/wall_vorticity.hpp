#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// The vorticity at a point of a wall, from the adjacent cell.
struct WallVorticity {
  std::array<double, 3> x{};  // m
  double area = 0;            // quadrature weight of the point, m²; per metre of depth if planar
  double magnitude = 0;       // |∇ × u|, 1/s
};

/// At the quadrature points of a region's facets, those of all ranks on every rank. u: local values of the
/// unknown, velocity first, ghosts included; coordinates: of the local nodes. Collective. Throws
/// std::invalid_argument where there is no such region of facets.
std::vector<WallVorticity> wall_vorticity(const DofMap& dofs, const double* u, const double* coordinates,
                                          FlowKind kind, const std::string& region);

/// The points whose coordinate along an axis is at least `margin` times the total extent away from both ends: without
/// leading and trailing edges.
std::vector<WallVorticity> away_from_ends(std::vector<WallVorticity> wall, int axis, double margin);

/// Standard deviation of the magnitude over the wall, divided by its mean.
double relative_deviation(const std::vector<WallVorticity>& wall);

}  // namespace invar
