#pragma once
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The same cells (or facets) with the nodes of the components' elements as integration points (`nodal_quadrature`): forms that read values
/// only, such as inertia, get diagonal matrices. Throws std::invalid_argument if components have several orders.
CellBatches at_nodes(CellBatches domain);

}  // namespace invar
