#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The mesh with one more region, `name`: the facets that are in some region but in none of `others`; `is_interface` regions do not count. Its nodes are
/// complete on every rank, ghosts included. Collective.
std::shared_ptr<const Mesh> with_still_boundary(const Mesh& mesh, MPI_Comm comm, const std::vector<std::string>& others,
                                                const std::string& name);

}  // namespace invar
