#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The map ξ → x of one cell, straight or curved, and its inverse.
class CellMap {
 public:
  CellMap(const Mesh& mesh, int block, int cell);

  /// Whether the cell contains the point, give or take 1e-10 of its size; then xi gets the
  /// reference coordinates, inside the reference cell. Newton's method.
  bool contains(const double* point, double* xi) const;
  /// The distance, m, and xi of the nearest point of the cell, to about 1e-6 of the cell's size.
  /// Projected gradients.
  double approach(const double* point, double* xi) const;

 private:
  double residual(const double* xi, const double* point, double* r) const;
  void jacobian(const double* xi, double J[3][3]) const;
  bool invert(const double* point, double* xi) const;
  double size() const;

  CellType type_;
  int dim_, n_;
  const double* x_;   // [n_nodes × dim] of the mesh
  const int* nodes_;  // of the cell
};

}  // namespace invar
