#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

/// What the flow is like at a point of a wall, from the cell behind it.
struct WallSample {
  std::array<double, 3> x{};         // m
  std::array<double, 3> normal{};    // out of the fluid
  std::array<double, 3> velocity{};  // m/s
  std::array<double, 9> gradient{};  // ∂u_i/∂x_j at 3 i + j, 1/s
  double pressure = 0;               // Pa
  double viscosity = 0;              // Pa s, where fluids are given
  double density = 0;                // kg/m³, likewise
  double height = 0;                 // of the cell behind it: how far its farthest vertex is from the wall, m
  double area = 0;                   // that the point stands for, m²; per metre of depth where planar
  std::array<long long, 2> ends{};   // in the plane: of its facet, as numbered in the serial mesh
  double along = 0;                  // in the plane: place between them, 0 … 1
};

/// At the quadrature points, of this degree, of a region's facets, those of all ranks on every rank. u: local values of
/// the unknown, velocity first, then pressure, ghosts included; coordinates: of the local nodes. Collective. Throws
/// std::invalid_argument where there is no such region of facets.
std::vector<WallSample> wall_samples(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                     const std::string& region, int degree,
                                     std::span<const FlowFields::Fluid> fluids = {});

}  // namespace invar
