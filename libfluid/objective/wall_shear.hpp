#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfluid/objective/wall_samples.hpp"

namespace invar {

/// What a fluid does to a point of a wall.
struct WallShear {
  std::array<double, 3> x{};      // m
  double area = 0;                // as WallSample::area
  double pressure = 0;            // Pa
  std::array<double, 3> shear{};  // Pa: the viscous force on the wall per area, its part along the wall
  double distance = 0;            // in the plane: along the wall from where it begins, m
  double along = 0;               // in the plane: the shear towards growing distance, Pa; in space its magnitude
  double rate = 0;                // `along` without the viscosity, 1/s
  double y_plus = 0;              // √(ρ |τ|) h/μ, h the thickness of the cell behind the point
  int piece = 0;                  // in the plane: of a wall in several, counted as they begin
};

/// The degree of a wall's Gauss points, where slopes are most accurate: one for first order, two (a direction) for second: Zienkiewicz,
/// Taylor, The Finite Element Method, vol. 1, ch. 14.
int wall_degree(const DofMap& dofs);

/// A point of a wall in the plane, in the order along it: each piece from the end with the least x (then the least y), closed ones from
/// where x is least with the fluid on the left.
struct WallPlace {
  std::size_t sample;
  int piece;
  double turn;  // 1 where the way on is the normal turned to the left, else −1
};
std::vector<WallPlace> order_along(const std::vector<WallSample>& samples);

/// τ = 2 μ ε of a region at the Gauss points of its facets (`wall_degree`), in the plane in the order of `order_along`. Arguments and
/// errors as those of `wall_samples`. Collective.
std::vector<WallShear> wall_shear(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                  const std::string& region, std::span<const FlowFields::Fluid> fluids);

/// Where the shear along a wall in the plane changes its sign, by straight lines between the shear rates at the points: separation and
/// reattachment. Ordered as the points are; `along` of each is ±1: the sign behind it.
std::vector<WallShear> shear_zeros(const std::vector<WallShear>& wall);

/// Where a wall passes nearest to a point [dim, m]: in the plane between two neighbouring points of it, by straight
/// lines; in space the nearest of them. The wall must have points.
WallShear shear_near(const std::vector<WallShear>& wall, const double* point, int dim);

}  // namespace invar
