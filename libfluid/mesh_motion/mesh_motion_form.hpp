#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// The energy of a moving mesh of dimension 2 or 3; see MeshElasticity.
std::unique_ptr<WeakForm> make_mesh_elasticity(int dim, CellBatches cells);

/// Cells of a component of one order with the integration points at which the energy of a mesh that follows a solution is taken. At Gauss points
/// alone curved cells could fold at a vertex; a hundredth of the energy at the nodes forbids it. It changes quantities of FSI1 by less than 1e-7; with
/// the whole energy at the nodes Newton's method fails for strongly deformed meshes that it solves so.
CellBatches moving_mesh_points(CellBatches cells);

/// The coefficient c in each local cell: (mean cell volume / cell volume)^power. Collective.
std::vector<double> mesh_stiffness(const Mesh& mesh, MPI_Comm comm, double power);

}  // namespace invar
