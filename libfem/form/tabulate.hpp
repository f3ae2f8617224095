#pragma once
#include "libfem/form/cell_batches.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {

/// The shape functions of a Lagrange cell at the points of a rule.
Tabulation tabulate(CellType type, const Quadrature& rule);

}  // namespace invar
