#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The map ξ → x of one cell, straight or curved, and its inverse.
class CellMap {
 public:
  CellMap(const Mesh& mesh, int block, int cell);

  /// Whether the cell contains the point up to 1e-10 of its size; if so, xi are the reference coordinates, moved into
  /// the reference cell. Newton's method.
  bool contains(const double* point, double* xi) const;
  /// Distance, m, and reference coordinates xi of the nearest point of the cell, accurate to about 1e-6 of its size.
  /// Projected gradient method.
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
