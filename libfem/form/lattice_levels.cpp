#include "libfem/form/lattice_levels.hpp"

#include <utility>

namespace invar {

LatticeLevels::LatticeLevels(std::shared_ptr<const CellMatrix> fine, const CellLattice& lattice)
    : fine_(std::move(fine)), tree_(fine_->dofs(), fine_->constrained(), lattice) {
  for (int t = 0; t < tree_.count(); ++t) {
    prolongations_.push_back(std::make_unique<LatticeInterpolation>(tree_.take_interpolation(t), tree_.comm()));
    matrices_.push_back(create_matrix(tree_.level(t), t + 1 == tree_.count()));
  }
}

/// An empty matrix for this level.
MatHandle LatticeLevels::create_matrix(const LatticeHierarchy::Level& level, bool coarsest) const {
  int ranks;
  MPI_Comm_size(tree_.comm(), &ranks);
  const auto n = static_cast<PetscInt>(level.owned.place.size() * nc());
  const PetscInt neighbours = tree_.dim() == 3 ? 27 : 9, others = ranks > 1 ? neighbours - 1 : 0;
  MatHandle matrix;
  check(MatCreate(tree_.comm(), matrix.out()));
  check(MatSetSizes(matrix, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetBlockSize(matrix, nc()));
  check(MatSetType(matrix, coarsest ? MATAIJ : MATSBAIJ));  // the upper half of the blocks needs least memory; MUMPS needs scalar entries
  check(MatSeqAIJSetPreallocation(matrix, neighbours * nc(), nullptr));
  check(MatMPIAIJSetPreallocation(matrix, neighbours * nc(), nullptr, others * nc(), nullptr));
  const PetscInt upper = neighbours / 2 + 1;  // own nodes are in the order of the grid
  check(MatSeqSBAIJSetPreallocation(matrix, nc(), upper, nullptr));
  check(MatMPISBAIJSetPreallocation(matrix, nc(), upper, nullptr, others, nullptr));
  if (!coarsest) check(MatSetOption(matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  check(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
  check(MatSetOption(matrix, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
  return matrix;
}

}  // namespace invar
