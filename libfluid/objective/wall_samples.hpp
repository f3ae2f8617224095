#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

/// State of the flow at a point of a wall, from the adjacent cell of a fluid.
struct WallSample {
  std::array<double, 3> x{};         // m
  std::array<double, 3> normal{};    // out of the fluid
  std::array<double, 3> velocity{};  // m/s
  std::array<double, 9> gradient{};  // ∂u_i/∂x_j at 3 i + j, 1/s
  double pressure = 0;               // Pa
  double viscosity = 0;              // Pa s, if fluids are given
  double density = 0;                // kg/m³, if fluids are given
  double height = 0;                 // height of the adjacent cell: distance of its farthest vertex from the wall, m
  double area = 0;                   // quadrature weight of the point, m²; per metre of depth if planar
  std::array<long long, 2> ends{};   // in the plane: of its facet, as numbered in the serial mesh
  double along = 0;                  // in the plane: place between them, 0 … 1
};

/// Samples at the quadrature points, of this degree, of a region's facets; those of all ranks on every rank. u: local
/// values of the unknown, velocity first, ghosts included; coordinates: of the local nodes. Collective.
/// Throws std::invalid_argument if there is no such facet region.
std::vector<WallSample> wall_samples(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                     const std::string& region, int degree,
                                     std::span<const FlowFields::Fluid> fluids = {});

}  // namespace invar
