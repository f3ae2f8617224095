#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// L2 representative g of a derivative G by the positions of a boundary's nodes, a mesh-independent field on the
/// boundary: ∫ g·v dA = Σ_i G_i·v_i for every nodal displacement v of the region. Components of nodes with G exactly
/// zero are fixed: g is zero there, and at nodes off the region.
/// gradient: G [node × dim], owned entries are read; coordinates: [node × dim], ghosts included, of the surface of
/// integration; axisymmetric (x = r): over the full circle. Fails if the boundary mass matrix cannot be inverted.
/// Collective. Throws std::invalid_argument if there is no such facet region.
Evaluation surface_density(std::shared_ptr<const Mesh> mesh, const std::string& region,
                           const std::vector<double>& coordinates, const std::vector<double>& gradient,
                           bool axisymmetric, std::vector<double>& density);

}  // namespace invar
