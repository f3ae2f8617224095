#pragma once
#include <optional>

#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/cell_lattice.hpp"

namespace invar {

/// The grid of cells of a symmetric equation with all components at all nodes of first-order cells, none of whose terms couple distant nodes; nothing
/// if it is of another kind. Collective.
std::optional<CellLattice> find_congruent_cells(FormResidual& residual);

}  // namespace invar
