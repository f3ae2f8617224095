#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// The energy of a moving mesh of dimension 2 or 3; see MeshElasticity.
std::unique_ptr<WeakForm> make_mesh_elasticity(int dim, CellBatches cells);

/// The coefficient c in each local cell: (mean cell volume / cell volume)^power. Collective.
std::vector<double> mesh_stiffness(const Mesh& mesh, MPI_Comm comm, double power);

}  // namespace invar
