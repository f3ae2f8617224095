#include "libfem/form/assembled_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {

AssembledMatrix::AssembledMatrix(std::shared_ptr<const SparsityPattern> pattern)
    : pattern_(std::move(pattern)), dofs_(pattern_->dof_map()), constrained_(dofs().n_local(), 0) {
  build_matrix();
}

AssembledMatrix::AssembledMatrix(std::shared_ptr<const DofMap> dofs, ElementMatrixSink& sink)
    : dofs_(std::move(dofs)), sink_(&sink), constrained_(dofs_->n_local(), 0) {}

AssembledMatrix::AssembledMatrix(std::shared_ptr<const DofMap> dofs)
    : AssembledMatrix(std::make_shared<const SparsityPattern>(std::move(dofs))) {}

void AssembledMatrix::build_matrix() {
  const int n_nodes = dofs().mesh().n_owned_nodes, n = dofs().n_owned();
  int ranks = 1;
  MPI_Comm_size(dofs().comm(), &ranks);
  std::vector<PetscInt> row_start(n + 1, 0), columns;
  for (int a = 0; a < n_nodes; ++a) {
    // Columns by global number: the ghosts of lower ranks, the owned nodes, the ghosts of higher ones.
    struct Neighbour {
      long long first;
      int count, pair;
    };
    std::vector<Neighbour> order;
    for (const int b : pattern_->neighbours(a))
      order.push_back({dofs().global_dof(b), dofs().dof_count(b), pattern_->first_pair(a) + static_cast<int>(order.size())});
    std::ranges::stable_sort(order, {}, &Neighbour::first);
    for (int r = 0; r < dofs().dof_count(a); ++r) {
      for (const auto& [first, count, pair] : order)
        for (int j = 0; j < count; ++j)
          if (pattern_->entry(pair, r, j) != SparsityPattern::nothing) columns.push_back(static_cast<PetscInt>(first + j));
      row_start[dofs().first_dof(a) + r + 1] = static_cast<PetscInt>(columns.size());
    }
  }
  check(MatCreate(dofs().comm(), mat_.out()));
  check(MatSetSizes(mat_, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(mat_, MATAIJ));
  check(MatSetBlockSize(mat_, dofs().block_size()));
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

void AssembledMatrix::refuse_entry() { throw std::logic_error("an entry in a block of a matrix that its forms state to be empty"); }

void AssembledMatrix::constrain(std::vector<char> constrained) { constrained_ = std::move(constrained); }

void AssembledMatrix::begin() {
  if (open_) close();  // a form threw before `end`
  if (store_) store_->begin();  // the host's arrays open where a form adds to them
  else open();
}

void AssembledMatrix::open() {
  check(MatZeroEntries(mat_));
  check(MatSeqAIJGetArray(diagonal_mat_, &diagonal_));
  if (off_mat_) check(MatSeqAIJGetArray(off_mat_, &off_));
  open_ = true;
}

void AssembledMatrix::close() {
  check(MatSeqAIJRestoreArray(diagonal_mat_, &diagonal_));
  if (off_mat_) check(MatSeqAIJRestoreArray(off_mat_, &off_));
  diagonal_ = off_ = nullptr;
  open_ = false;
  // No entries are pending; the calls notify PETSc of the directly changed values.
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

void AssembledMatrix::end() {
  if (store_) {
    store_->end(open_ ? diagonal_ : nullptr);
    if (open_) close();
    return;
  }
  const int n_nodes = dofs().mesh().n_owned_nodes;
  const auto diagonal_entry = [&](int node, int r) {
    return row(dofs().first_dof(node) + r, pattern_->entry(pattern_->pair(node, node), r, r));
  };
  double local[2] = {0, 0}, sum[2];
  for (int a = 0; a < n_nodes; ++a)
    for (int r = 0; r < dofs().dof_count(a); ++r)
      if (!constrained_[dofs().first_dof(a) + r]) {
        local[0] += std::abs(*diagonal_entry(a, r));
        local[1] += 1;
      }
  MPI_Allreduce(local, sum, 2, MPI_DOUBLE, MPI_SUM, dofs().comm());
  const double scale = sum[0] > 0 ? sum[0] / sum[1] : 1.0;
  for (int a = 0; a < n_nodes; ++a)
    for (int r = 0; r < dofs().dof_count(a); ++r)
      if (constrained_[dofs().first_dof(a) + r]) *diagonal_entry(a, r) = scale;
  close();
}

}  // namespace invar
