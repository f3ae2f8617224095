#pragma once
#include <memory>
#include <vector>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// What contacts do at the nodes of a mesh [node], for files and pictures.
struct ContactFields {
  /// longest: of the d̂ of all pairs, m.
  ContactFields(const Mesh& mesh, double longest)
      : pressure(mesh.node_total(), 0.0), gap(pressure.size(), longest), slip(pressure.size() * mesh.dim, 0.0) {}

  std::vector<double> pressure;  // Pa, means around each node; 0 where nothing presses
  std::vector<double> gap;       // m, of the samples at each node to what they meet, at most d̂
  std::vector<double> slip;      // [node × dim] m/s, tangential velocity against what it meets, in the mean weighted by pressures
};

/// Adds one pair's pressure and slip, and lowers gaps to its. unknown and its rate [n_local], nullptr at rest; coordinates
/// [node × dim]; stiffness κ, Pa; d_hat, m. Collective.
void add_contact_fields(PairFinder& finder, std::shared_ptr<const DofMap> dofs, const double* unknown, const double* rate,
                        const double* coordinates, double stiffness, double d_hat, ContactFields& fields);

}  // namespace invar
