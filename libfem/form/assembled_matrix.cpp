#include "libfem/form/assembled_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace invar {

AssembledMatrix::AssembledMatrix(std::shared_ptr<const DofMap> dofs)
    : dofs_(std::move(dofs)), constrained_(dofs_->n_local(), 0) {
  build_neighbours();
  build_matrix();
}

void AssembledMatrix::build_neighbours() {
  const Mesh& mesh = dofs_->mesh();
  const int n_owned = mesh.n_owned_nodes;
  // Cells around each owned node, then the union of their nodes.
  std::vector<int> start(n_owned + 1, 0);
  for (const CellBlock& block : mesh.cells)
    for (int node : block.nodes)
      if (node < n_owned) ++start[node + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  struct Incidence { const int* nodes; int count; };
  std::vector<Incidence> incident(start.back());
  std::vector<int> fill(start.begin(), start.end() - 1);
  for (const CellBlock& block : mesh.cells) {
    const int per_cell = node_count(block.type);
    for (std::size_t i = 0; i < block.nodes.size(); ++i)
      if (block.nodes[i] < n_owned)
        incident[fill[block.nodes[i]]++] = {&block.nodes[i / per_cell * per_cell], per_cell};
  }
  neighbour_start_.assign(n_owned + 1, 0);
  std::vector<int> seen(mesh.node_total(), -1), list;
  const auto global = [&](int n) {
    return n < n_owned ? mesh.node_offset + n : mesh.ghost_nodes[n - n_owned];
  };
  for (int a = 0; a < n_owned; ++a) {
    list.clear();
    for (int i = start[a]; i < start[a + 1]; ++i)
      for (int k = 0; k < incident[i].count; ++k)
        if (const int b = incident[i].nodes[k]; seen[b] != a) {
          seen[b] = a;
          list.push_back(b);
        }
    if (seen[a] != a) list.push_back(a);  // a node outside every cell still has a diagonal
    const auto ghosts = std::partition(list.begin(), list.end(), [&](int b) { return b < n_owned; });
    std::sort(list.begin(), ghosts);
    std::sort(ghosts, list.end(), [&](int b, int c) { return global(b) < global(c); });
    int inside = 0, outside = 0;
    for (int b : list) {
      neighbours_.push_back(b);
      int& place = b < n_owned ? inside : outside;
      offsets_.push_back(b < n_owned ? place : ~place);
      place += dofs_->dof_count(b);
    }
    neighbour_start_[a + 1] = static_cast<int>(neighbours_.size());
  }
}

void AssembledMatrix::build_matrix() {
  const int n_nodes = dofs_->mesh().n_owned_nodes, n = dofs_->n_owned();
  int ranks = 1;
  MPI_Comm_size(dofs_->comm(), &ranks);
  std::vector<PetscInt> row_start(n + 1, 0), columns;
  for (int a = 0; a < n_nodes; ++a) {
    // Columns by global number: the ghosts of lower ranks, the owned nodes, the ghosts of higher ones.
    std::vector<std::pair<long long, int>> order;
    for (int i = neighbour_start_[a]; i < neighbour_start_[a + 1]; ++i)
      order.emplace_back(dofs_->global_dof(neighbours_[i]), dofs_->dof_count(neighbours_[i]));
    std::sort(order.begin(), order.end());
    for (int r = 0; r < dofs_->dof_count(a); ++r) {
      for (const auto& [first, count] : order)
        for (int j = 0; j < count; ++j) columns.push_back(static_cast<PetscInt>(first + j));
      row_start[dofs_->first_dof(a) + r + 1] = static_cast<PetscInt>(columns.size());
    }
  }
  check(MatCreate(dofs_->comm(), mat_.out()));
  check(MatSetSizes(mat_, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(mat_, MATAIJ));
  check(MatSetBlockSize(mat_, dofs_->block_size()));
  if (ranks == 1) {
    check(MatSeqAIJSetPreallocationCSR(mat_, row_start.data(), columns.data(), nullptr));
    diagonal_mat_ = mat_;
  } else {
    check(MatMPIAIJSetPreallocationCSR(mat_, row_start.data(), columns.data(), nullptr));
    check(MatMPIAIJGetSeqAIJ(mat_, &diagonal_mat_, &off_mat_, nullptr));
  }
  check(MatSetOption(mat_, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  PetscInt rows = 0;
  PetscBool done = PETSC_FALSE;
  const PetscInt* ja = nullptr;
  check(MatGetRowIJ(diagonal_mat_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &diagonal_start_, &ja, &done));
  if (off_mat_) check(MatGetRowIJ(off_mat_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &off_start_, &ja, &done));
}

int AssembledMatrix::offset(int node_a, int node_b) const {
  const int n_owned = dofs_->mesh().n_owned_nodes;
  const auto first = neighbours_.begin() + neighbour_start_[node_a];
  const auto last = neighbours_.begin() + neighbour_start_[node_a + 1];
  // Owned neighbours come first and ascend by local number; ghosts follow, in global order.
  auto it = node_b < n_owned ? std::partition_point(first, last, [&](int b) { return b < node_b; })
                             : std::find(first, last, node_b);
  if (it != last && *it != node_b) it = std::find(first, last, node_b);
  return offsets_[it - neighbours_.begin()];
}

void AssembledMatrix::constrain(std::vector<char> constrained) { constrained_ = std::move(constrained); }

void AssembledMatrix::begin() {
  check(MatZeroEntries(mat_));
  check(MatSeqAIJGetArray(diagonal_mat_, &diagonal_));
  if (off_mat_) check(MatSeqAIJGetArray(off_mat_, &off_));
}

void AssembledMatrix::end() {
  const int n_nodes = dofs_->mesh().n_owned_nodes;
  const auto diagonal_entry = [&](int node, int r) {
    return row(dofs_->first_dof(node) + r, offset(node, node)) + r;
  };
  double local[2] = {0, 0}, sum[2];
  for (int a = 0; a < n_nodes; ++a)
    for (int r = 0; r < dofs_->dof_count(a); ++r)
      if (!constrained_[dofs_->first_dof(a) + r]) {
        local[0] += std::abs(*diagonal_entry(a, r));
        local[1] += 1;
      }
  MPI_Allreduce(local, sum, 2, MPI_DOUBLE, MPI_SUM, dofs_->comm());
  const double scale = sum[0] > 0 ? sum[0] / sum[1] : 1.0;
  for (int a = 0; a < n_nodes; ++a)
    for (int r = 0; r < dofs_->dof_count(a); ++r)
      if (constrained_[dofs_->first_dof(a) + r]) *diagonal_entry(a, r) = scale;
  check(MatSeqAIJRestoreArray(diagonal_mat_, &diagonal_));
  if (off_mat_) check(MatSeqAIJRestoreArray(off_mat_, &off_));
  // Nothing is pending; this tells PETSc that the values changed behind its back.
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

}  // namespace invar
