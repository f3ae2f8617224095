#include "libfem/design/field/copied_equation.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {
namespace {

/// Positions of the entries of each copy.
std::vector<std::vector<int>> by_copy(const std::vector<int>& copy_of, int count) {
  std::vector<std::vector<int>> positions(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < copy_of.size(); ++i) positions[static_cast<std::size_t>(copy_of[i])].push_back(static_cast<int>(i));
  return positions;
}

}  // namespace

CopiedEquation::CopiedEquation(const FormResidual& one, const FormResidual& common, const MeshCopies& copies)
    : rows_(static_cast<std::size_t>(copies.count())), nodes_(by_copy(copies.of_nodes(common.dofs().mesh()), copies.count())),
      cells_(by_copy(copies.of_cells(common.dofs().mesh()), copies.count())) {
  connect(one.dofs(), common.dofs(), copies);
  for (std::size_t c = 0; c < common.controls().size(); ++c) {
    const ControlInfo& field = common.controls()[c];
    if (field.shared() || field.name.empty()) continue;
    const auto number = std::ranges::find(one.controls(), field.name, &ControlInfo::name);
    if (number == one.controls().end() || number->layout != ControlLayout::number) continue;
    spread_.push_back({static_cast<int>(number - one.controls().begin()), static_cast<int>(c), field.layout == ControlLayout::cells});
  }
}

/// Finds, for each unknown of this rank's part of the single problem, the rank and the row of its copies.
void CopiedEquation::connect(const DofMap& one, const DofMap& common, const MeshCopies& copies) {
  const Mesh& all = common.mesh();
  const Mesh& mesh = one.mesh();
  const long long n_nodes = mesh.n_global_nodes;
  if (n_nodes * copies.count() != all.n_global_nodes || one.n_global() * copies.count() != common.n_global())
    throw std::invalid_argument("the common equation does not consist of copies of the single one");
  int rank = 0;
  MPI_Comm_rank(common.comm(), &rank);
  std::vector<int> owner(static_cast<std::size_t>(all.n_global_nodes), -1), first(owner);
  for (int node = 0; node < all.n_owned_nodes; ++node) {
    const auto original = static_cast<std::size_t>(all.original_node[static_cast<std::size_t>(node)]);
    owner[original] = rank, first[original] = common.first_dof(node);
    std::vector<int>& rows = rows_[original / static_cast<std::size_t>(n_nodes)];
    for (int k = 0; k < common.dof_count(node); ++k) rows.push_back(common.first_dof(node) + k);
  }
  MPI_Allreduce(MPI_IN_PLACE, owner.data(), static_cast<int>(owner.size()), MPI_INT, MPI_MAX, common.comm());
  MPI_Allreduce(MPI_IN_PLACE, first.data(), static_cast<int>(first.size()), MPI_INT, MPI_MAX, common.comm());
  for (std::size_t copy = 0; copy < rows_.size(); ++copy) {
    std::ranges::sort(rows_[copy]);
    std::vector<PetscSFNode> roots(static_cast<std::size_t>(one.n_owned()));
    for (int node = 0; node < mesh.n_owned_nodes; ++node) {
      const std::size_t original = copy * static_cast<std::size_t>(n_nodes) + static_cast<std::size_t>(mesh.original_node[static_cast<std::size_t>(node)]);
      for (int k = 0; k < one.dof_count(node); ++k) roots[static_cast<std::size_t>(one.first_dof(node) + k)] = {owner[original], first[original] + k};
    }
    ForestHandle& forest = forests_.emplace_back();
    check(PetscSFCreate(common.comm(), forest.out()));
    check(PetscSFSetGraph(forest, common.n_owned(), static_cast<PetscInt>(roots.size()), nullptr, PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES));
    check(PetscSFSetUp(forest));
  }
}

void CopiedEquation::to_copy(int copy, Vec one, Vec common) const {
  PetscSF forest = forests_[static_cast<std::size_t>(copy)];
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(one, &from));
  check(VecGetArray(common, &to));
  check(PetscSFReduceBegin(forest, MPIU_SCALAR, from, to, MPI_REPLACE));
  check(PetscSFReduceEnd(forest, MPIU_SCALAR, from, to, MPI_REPLACE));
  check(VecRestoreArray(common, &to));
  check(VecRestoreArrayRead(one, &from));
}

void CopiedEquation::from_copy(int copy, Vec common, Vec one) const {
  PetscSF forest = forests_[static_cast<std::size_t>(copy)];
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(common, &from));
  check(VecGetArray(one, &to));
  check(PetscSFBcastBegin(forest, MPIU_SCALAR, from, to, MPI_REPLACE));
  check(PetscSFBcastEnd(forest, MPIU_SCALAR, from, to, MPI_REPLACE));
  check(VecRestoreArray(one, &to));
  check(VecRestoreArrayRead(common, &from));
}

void CopiedEquation::write_controls(int copy, const Controls& one, Controls& common) const {
  for (const Spread& s : spread_) {
    std::vector<double>& field = common[static_cast<std::size_t>(s.common)];
    const double value = one[static_cast<std::size_t>(s.one)][0];
    for (const int i : (s.in_cells ? cells_ : nodes_)[static_cast<std::size_t>(copy)]) field[static_cast<std::size_t>(i)] = value;
  }
}

}  // namespace invar
