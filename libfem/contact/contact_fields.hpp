#pragma once
#include <memory>
#include <vector>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Contact results at the nodes of a mesh, for files and pictures. Means around a node a are ∫ ψ_a f / ∫ ψ_a with ψ_a = max(0, N_a), the positive part of its
/// shape function (local averages as of Ph. Clément, RAIRO Anal. Numér. 9, 1975): nodal forces over ∫ N_a would be meaningless at corners of triangles of second
/// order, where ∫ N_a is zero.
struct ContactFields {
  /// longest: largest d̂ of all pairs, m.
  ContactFields(const Mesh& mesh, double longest)
      : pressure(mesh.node_total(), 0.0), gap(pressure.size(), longest), slip(pressure.size() * mesh.dim, 0.0) {}

  std::vector<double> pressure;  // [node] Pa, mean around each node; 0 without contact
  std::vector<double> gap;       // [node] m, smallest distance of the samples at each node, at most d̂
  std::vector<double> slip;      // [node × dim] m/s, tangential velocity relative to the opposite surface, mean weighted by the pressure
};

/// Adds the pressure and slip of one contact pair, and reduces gaps to those of the pair. unknown and its rate [n_local], rate
/// nullptr in statics; coordinates [node × dim]; stiffness κ, Pa; d_hat, m. Collective.
void add_contact_fields(PairFinder& finder, std::shared_ptr<const DofMap> dofs, const double* unknown, const double* rate,
                        const double* coordinates, double stiffness, double d_hat, ContactFields& fields);

}  // namespace invar
