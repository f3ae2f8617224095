#pragma once
#include <memory>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Means over cells of 1/v, v a nodal field that is interpolated in the cell: Σ_q w_q/v(ξ_q) over the reference cell,
/// by two points per direction or, on simplices, by a rule of degree 2. All points lie inside, so that v may be 0 at
/// some nodes; where it is 0 at a point, which then is true of the whole cell, the mean is 0. Cells of the rank, all
/// blocks in turn, ghosts included.
class CellReciprocal {
 public:
  explicit CellReciprocal(std::shared_ptr<const Mesh> mesh);

  std::vector<double> means(const double* v) const;
  /// Their derivative along v_dot.
  std::vector<double> jvp(const double* v, const double* v_dot) const;
  /// The transposed product with what owned cells say, at all local nodes.
  std::vector<double> vjp(const double* v, const double* mean_bar) const;
  /// Its derivative along v_dot while mean_bar moves by mean_bar_dot.
  std::vector<double> vjp_tangent(const double* v, const double* v_dot, const double* mean_bar, const double* mean_bar_dot) const;

 private:
  /// A rule of one type of cells.
  struct Points {
    std::vector<double> weights;  // [point], their sum is 1
    std::vector<double> N;        // [point][node]
  };
  /// visit(cell, nodes, N, weight): each point of each cell, or of owned cells only.
  template <class Visit>
  void visit_points(bool owned, Visit&& visit) const;

  std::shared_ptr<const Mesh> mesh_;
  std::vector<Points> points_;  // per block of cells
  std::size_t n_cells_ = 0;
};

}  // namespace invar
