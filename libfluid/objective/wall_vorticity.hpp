#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// The vorticity at a point of a wall, from the cell behind it.
struct WallVorticity {
  std::array<double, 3> x{};  // m
  double area = 0;            // that the point stands for, m²; per metre of depth where planar
  double magnitude = 0;       // |∇ × u|, 1/s
};

/// At the quadrature points of a region's facets, those of all ranks on every rank. u: local values of the
/// unknown, velocity first, ghosts included; coordinates: of the local nodes. Collective. Throws
/// std::invalid_argument where there is no such region of facets.
std::vector<WallVorticity> wall_vorticity(const DofMap& dofs, const double* u, const double* coordinates,
                                          FlowKind kind, const std::string& region);

/// Those that lie along an axis between the least and the greatest coordinate of all, `margin` times the distance of
/// these off either end: without leading and trailing edges.
std::vector<WallVorticity> away_from_ends(std::vector<WallVorticity> wall, int axis, double margin);

/// Standard deviation of the magnitude over the wall, divided by its mean.
double relative_deviation(const std::vector<WallVorticity>& wall);

}  // namespace invar
