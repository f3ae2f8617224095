// The matrix of an equation as a sum over congruent cells.
#include <algorithm>

#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"

namespace invar {

bool FormResidual::use_cell_matrix() {
  const auto everywhere = [](const Component& c) { return c.order == 1 && c.region.empty(); };
  if (!std::ranges::all_of(dofs_->components(), everywhere) || couples_distant_nodes() || !symmetric()) return false;
  if (dofs_->n_components() > LatticeLevels::most_components) return false;
  const std::optional<CellLattice> lattice = find_cell_lattice(dofs_->mesh());
  if (!lattice || std::ranges::all_of(lattice->cells, [](int n) { return n == 1; })) return false;
  cells_ = std::make_shared<CellMatrix>(dofs_, constrained_);
  levels_ = std::make_shared<LatticeLevels>(cells_, *lattice);
  return by_cells_ = true;
}

/// False if the element matrices are not of this type; then also in all later calls.
bool FormResidual::assemble_by_cells(const LocalState& u, const PerLevel<double>& weights) {
  cells_->begin();
  for (const BoundForm& f : forms_)
    if (f.part == equation) f.form->jacobian(state_of(f, u), weights, cells_->target());
  by_cells_ = !on_any_rank(!cells_->suits() || cells_->kinds() > CellMatrix::most_kinds);
  if (by_cells_) cells_->end();
  else cells_->begin();  // frees them
  return by_cells_;
}

}  // namespace invar
