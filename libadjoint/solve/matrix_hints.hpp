#pragma once
#include <memory>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/coupled_fields.hpp"
#include "libadjoint/solve/multigrid_levels.hpp"
#include "libadjoint/solve/saddle_point.hpp"
#include "libadjoint/solve/triangular_blocks.hpp"

namespace invar {

/// Optional information about a matrix for linear solvers; null: not available. Handles are not owned.
struct MatrixHints {
  MatNullSpace near_null_space = nullptr;
  /// Prolongation from a coarser space for two-level methods, [own unknowns × coarse unknowns]. Constrained rows and
  /// the coarse unknowns that belong to them are coupled to nothing else.
  Mat prolongation = nullptr;
  /// The blocks of a saddle-point matrix, for block preconditioners.
  std::shared_ptr<SaddlePoint> saddle_point;
  /// All nodes carry the same unknowns of several kinds, one matrix block per pair of nodes, with regular diagonal
  /// blocks (stabilised equal-order flow): for multigrid on aggregates of whole nodes.
  bool node_blocks = false;
  /// The matrix is block-triangular and not assembled: it is solved block by block.
  std::shared_ptr<TriangularBlocks> triangular_blocks = {};
  /// Coarser levels of a matrix that is not assembled, for multigrid. They apply only to their matrix `finest`: the
  /// equation may switch to an assembled one.
  std::shared_ptr<MultigridLevels> levels = {};
  /// Fields of the matrix that are solved one after the other, for block Gauss–Seidel.
  std::shared_ptr<CoupledFields> coupled_fields = {};
  /// The derivative by the acceleration is diagonal. Steps in time whose unknown is read through rates only (explicit schemes, initial
  /// accelerations) then look whether their matrix is, too, before it is assembled.
  bool lumped_mass = false;
};

}  // namespace invar
