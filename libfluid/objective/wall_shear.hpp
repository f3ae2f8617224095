#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfluid/objective/wall_samples.hpp"

namespace invar {

/// Loads of the fluid at a point of a wall.
struct WallShear {
  std::array<double, 3> x{};      // m
  double area = 0;                // as WallSample::area
  double pressure = 0;            // Pa
  std::array<double, 3> shear{};  // Pa: tangential part of the viscous force on the wall per area
  double distance = 0;            // 2-D: distance along the wall from its start, m
  double along = 0;               // 2-D: shear stress in the direction of increasing distance, Pa; 3-D: its magnitude
  double rate = 0;                // `along` divided by the viscosity, 1/s
  double y_plus = 0;              // √(ρ |τ|) h/μ, h the height of the adjacent cell
  int piece = 0;                  // 2-D: number of the piece, for walls in several pieces
};

/// Quadrature degree of a wall's Gauss points, where gradients are most accurate: one point for first order, two (per direction) for
/// second: Zienkiewicz, Taylor, The Finite Element Method, vol. 1, ch. 14.
int wall_degree(const DofMap& dofs);

/// A point of a wall in 2-D, in order along the wall: each piece from the end with the smallest x (then the smallest y), closed ones
/// from the point with the smallest x with the fluid on the left.
struct WallPlace {
  std::size_t sample;
  int piece;
  double turn;  // 1 if the direction along the wall is the normal rotated to the left, else −1
};
std::vector<WallPlace> order_along(const std::vector<WallSample>& samples);

/// τ = 2 μ ε of a region at the Gauss points of its facets (`wall_degree`), in 2-D in the order of `order_along`. Arguments and errors
/// as for `wall_samples`. Collective.
std::vector<WallShear> wall_shear(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                  const std::string& region, std::span<const FlowFields::Fluid> fluids);

/// Positions where the shear along a wall in 2-D changes sign, by linear interpolation of the shear rate: separation and reattachment.
/// In the order of the points; `along` of each is ±1, the sign behind it.
std::vector<WallShear> shear_zeros(const std::vector<WallShear>& wall);

/// State of the wall nearest to a point [dim, m]: in 2-D interpolated linearly between two neighbouring points, in 3-D at the nearest
/// point. The wall must have points.
WallShear shear_near(const std::vector<WallShear>& wall, const double* point, int dim);

}  // namespace invar
