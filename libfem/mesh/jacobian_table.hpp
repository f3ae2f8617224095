#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Jacobians ∂x/∂ξ of cells of one type at fixed reference points.
class JacobianTable {
 public:
  /// points: [n × dimension] reference coordinates.
  JacobianTable(CellType type, const std::vector<double>& points);
  int count() const { return count_; }
  /// J[d·k + e] = ∂x_d/∂ξ_e at point q, with k the dimension of the cell; x: [n_nodes × dim] of the mesh.
  void evaluate(const double* x, int dim, const int* nodes, int q, double* J) const;

 private:
  int n_, k_, count_;
  std::vector<double> gradients_;  // [n_points × n_nodes × k]
};

}  // namespace invar
