#pragma once
#include <limits>
#include <vector>

#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Signed scaled Jacobian of cells of one type: det(∂x/∂ξ) over the product of the lengths of its
/// columns; on simplices the smallest over the corners, divided by its value for the equilateral
/// cell. 1 is best, 0 flat, negative turned inside out. (Knupp 2000; Stimpson et al., Verdict
/// 2007.)
class CellQuality {
 public:
  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
  };
  explicit CellQuality(CellType type);
  /// Over the vertices of one cell; nodes: its nodes. x: [n_nodes × dimension].
  Range at_vertices(const double* x, const int* nodes) const { return over(vertices_, x, nodes); }
  /// Over all its nodes: sees the cells that only their curvature turns inside out.
  Range at_nodes(const double* x, const int* nodes) const { return over(all_nodes_, x, nodes); }

 private:
  Range over(const JacobianTable& points, const double* x, const int* nodes) const;
  Shape shape_;
  JacobianTable vertices_, all_nodes_;
};

/// Smallest scaled Jacobian of each cell of a block, [count].
std::vector<double> scaled_jacobians(const Mesh& mesh, int block);

/// The worst of the owned cells of all ranks (collective).
double worst_scaled_jacobian(const Mesh& mesh);

}  // namespace invar
