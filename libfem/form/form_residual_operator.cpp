// The matrix of an equation that is not assembled: any operator, and a sum over congruent cells.
#include <algorithm>

#include "libfem/form/congruent_cells.hpp"
#include "libfem/form/lattice_levels.hpp"
#include "libfem/form/local_access.hpp"

namespace invar {
namespace {

/// CellMatrix as an operator of forms.
class CellOperator final : public FormOperator {
 public:
  CellOperator(std::shared_ptr<const DofMap> dofs, std::vector<char> constrained, const CellLattice& lattice)
      : cells_(std::make_shared<CellMatrix>(std::move(dofs), std::move(constrained))),
        levels_(std::make_shared<LatticeLevels>(cells_, lattice)) {}

  bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) override {
    cells_->begin();
    for (const FormAt& f : forms) f.form->jacobian(f.at, weights, cells_->target());
    int suits = cells_->suits() && cells_->kinds() <= CellMatrix::most_kinds;
    MPI_Allreduce(MPI_IN_PLACE, &suits, 1, MPI_INT, MPI_MIN, cells_->dofs().comm());
    if (suits) cells_->end();
    else cells_->begin();  // frees them
    return suits;
  }
  Mat mat() const override { return cells_->mat(); }
  std::shared_ptr<MultigridLevels> levels() const override { return levels_; }

 private:
  std::shared_ptr<CellMatrix> cells_;
  std::shared_ptr<LatticeLevels> levels_;
};

}  // namespace

std::optional<CellLattice> find_congruent_cells(FormResidual& residual) {
  const DofMap& dofs = residual.dofs();
  const auto everywhere = [](const Component& c) { return c.order == 1 && c.region.empty(); };
  if (!std::ranges::all_of(dofs.components(), everywhere) || residual.capabilities().pattern || !residual.symmetric()) return std::nullopt;
  if (dofs.n_components() > LatticeLevels::most_components) return std::nullopt;
  std::optional<CellLattice> lattice = find_cell_lattice(dofs.mesh());
  if (lattice && std::ranges::all_of(lattice->cells, [](int n) { return n == 1; })) return std::nullopt;
  return lattice;
}

bool FormResidual::use_cell_matrix() {
  const std::optional<CellLattice> lattice = find_congruent_cells(*this);
  if (!lattice) return false;
  use_operator(std::make_shared<CellOperator>(dofs_, constrained_, *lattice));
  return true;
}

void FormResidual::use_operator(std::shared_ptr<FormOperator> by) {
  operator_ = std::move(by);
  by_operator_ = operator_ != nullptr;
}

/// False if the operator cannot represent the equation; then also in all later calls.
bool FormResidual::linearise_operator(const LocalState& u, const PerLevel<double>& weights) {
  std::vector<FormAt> forms;
  for (const BoundForm& f : forms_)
    if (f.part == equation) forms.push_back({f.form.get(), state_of(f, u)});
  return by_operator_ = operator_->linearise(forms, weights);
}

}  // namespace invar
