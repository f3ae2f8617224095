#pragma once
#include <memory>
#include <vector>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// What a contact does at the nodes of a mesh [node], for files and pictures.
struct ContactFields {
  std::vector<double> pressure;  // Pa, means around each node; 0 where nothing presses
  std::vector<double> gap;       // m, of the samples at each node to what they meet, at most d̂
};

/// Adds one pair's pressure, and lowers gaps to its. unknown [n_local], coordinates [node × dim]; stiffness κ, Pa; d_hat, m.
/// Collective.
void add_contact_fields(PairFinder& finder, std::shared_ptr<const DofMap> dofs, const double* unknown, const double* coordinates,
                        double stiffness, double d_hat, ContactFields& fields);

}  // namespace invar
