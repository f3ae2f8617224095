#pragma once
#include <limits>
#include <vector>

#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Signed scaled Jacobian of cells of one type: det(∂x/∂ξ) divided by the product of the column lengths; for simplices
/// the smallest over the corners, relative to the equilateral cell. 1 is best, 0 degenerate, negative inverted. (Knupp
/// 2000; Stimpson et al., Verdict 2007.)
class CellQuality {
 public:
  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
  };
  explicit CellQuality(CellType type);
  /// Range over the vertices of one cell; nodes: its nodes. x: [n_nodes × dimension].
  Range at_vertices(const double* x, const int* nodes) const { return over(vertices_, x, nodes); }
  /// Range over all nodes: also detects cells that are inverted by their curvature only.
  Range at_nodes(const double* x, const int* nodes) const { return over(all_nodes_, x, nodes); }

 private:
  Range over(const JacobianTable& points, const double* x, const int* nodes) const;
  Shape shape_;
  JacobianTable vertices_, all_nodes_;
};

/// Smallest scaled Jacobian of each cell of a block, [count].
std::vector<double> scaled_jacobians(const Mesh& mesh, int block);

/// The smallest of the owned cells of all ranks (collective).
double worst_scaled_jacobian(const Mesh& mesh);

}  // namespace invar
