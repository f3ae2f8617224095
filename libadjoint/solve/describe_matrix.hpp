#pragma once
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/matrix_hints.hpp"

namespace invar {

/// Tells a solver what is known of the matrices that it will get. Before the first operator.
inline void describe_matrix(const MatrixHints& hints, LinearSolver& solver) {
  if (hints.saddle_point) solver.set_saddle_point(hints.saddle_point);
  if (hints.near_null_space) solver.set_near_null_space(hints.near_null_space);
  if (hints.prolongation) solver.set_prolongation(hints.prolongation);
  solver.set_node_blocks(hints.node_blocks);
  if (hints.triangular_blocks) solver.set_triangular_blocks(hints.triangular_blocks);
  if (hints.coupled_fields) solver.set_coupled_fields(hints.coupled_fields);
  if (hints.levels) solver.set_levels(hints.levels);
}

}  // namespace invar
