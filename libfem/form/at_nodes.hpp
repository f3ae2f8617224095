#pragma once
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The same cells (or facets) with the nodes of the components' elements as integration points (`nodal_quadrature`): forms that read values
/// only, such as inertia, get diagonal matrices. Throws std::invalid_argument if components have several orders.
CellBatches at_nodes(CellBatches domain);

/// The same cells with the nodes as further integration points: `share` of the integral by `nodal_quadrature`, the rest by the rule for the
/// domain's degree. A form with a logarithm then stays admissible at the nodes, too, and its equilibria hardly change if the share is small.
/// Throws std::invalid_argument if components have several orders.
CellBatches with_nodes(CellBatches domain, double share);

}  // namespace invar
