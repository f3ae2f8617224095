#pragma once
#include <memory>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Cell means of 1/v for a nodal field v interpolated in the cell: Σ_q w_q/v(ξ_q) over the reference cell, with two points per
/// direction or, on simplices, a rule of degree 2. All points are inside the cell, so v may be 0 at some nodes; if v is 0 at a
/// point, and hence in the whole cell, the mean is 0. Results: one number per cell of this rank, all blocks in turn, ghosts
/// included.
class CellReciprocal {
 public:
  explicit CellReciprocal(std::shared_ptr<const Mesh> mesh);

  std::vector<double> means(const double* v) const;
  /// Derivative of `means` along v_dot.
  std::vector<double> jvp(const double* v, const double* v_dot) const;
  /// Derivatives of the means by the nodal values: those of a cell's nodes in turn, all cells of all blocks.
  std::vector<double> slopes(const double* v) const;
  /// The transpose applied to the entries of owned cells; result at all local nodes.
  std::vector<double> vjp(const double* v, const double* mean_bar) const;
  /// Derivative of `vjp` along v_dot while mean_bar changes by mean_bar_dot.
  std::vector<double> vjp_tangent(const double* v, const double* v_dot, const double* mean_bar, const double* mean_bar_dot) const;

 private:
  /// Quadrature rule of one cell type.
  struct Points {
    std::vector<double> weights;  // [point], their sum is 1
    std::vector<double> N;        // [point][node]
  };
  /// Calls visit(cell, nodes, N, weight) for each point of each cell, or of owned cells only.
  template <class Visit>
  void visit_points(bool owned, Visit&& visit) const;
  /// Calls visit(cell, node, derivative) for each node of each cell, or of owned cells only.
  template <class Visit>
  void visit_slopes(bool owned, const double* v, Visit&& visit) const;

  std::shared_ptr<const Mesh> mesh_;
  std::vector<Points> points_;  // per block of cells
  std::vector<std::size_t> first_{0};  // [cell]: of its nodes in `slopes`; then their number
};

}  // namespace invar
