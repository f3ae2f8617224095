#pragma once
#include <vector>

namespace invar {

struct CellBatches;

/// Where a form's matrix may have entries: in rows and columns of unknowns at the nodes of one cell of its domain, of those of the form's
/// components that it couples.
struct FormCoupling {
  const CellBatches* domain;              // of the form, which keeps it
  std::vector<unsigned> columns;          // [component of the form] bit j: its rows may depend on component j of the form
  std::vector<int> rows = {};             // [local dof] the row of its equation, −1: none; empty: rows are not moved (RowMap)
};

}  // namespace invar
