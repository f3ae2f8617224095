#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A derivative by the places of a boundary's nodes as a field on the boundary that does not depend on the
/// mesh: g with ∫ g·v dA = Σ_i G_i·v_i for every nodal displacement v of the region, its L2 representative.
/// Components of nodes at which G is exactly zero are held: there g is zero. Nodes off the region: zero.
/// gradient: G [node × dim], of which owned entries are read; coordinates: [node × dim], ghosts included, of
/// the surface that is integrated over, axisymmetric ones (x = r) over the full circle. Fails where the
/// boundary's mass matrix cannot be solved with. Collective. Throws std::invalid_argument where there is no
/// such region of facets.
Evaluation surface_density(std::shared_ptr<const Mesh> mesh, const std::string& region,
                           const std::vector<double>& coordinates, const std::vector<double>& gradient,
                           bool axisymmetric, std::vector<double>& density);

}  // namespace invar
