#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// The energy of a moving mesh of dimension 2 or 3; see MeshElasticity.
std::unique_ptr<WeakForm> make_mesh_elasticity(int dim, CellBatches cells);

}  // namespace invar
