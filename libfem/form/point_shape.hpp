#pragma once

namespace invar {

/// Shape functions of one Lagrange basis at one point.
struct PointBasis {
  int n_nodes = 0;
  const double* N = nullptr;   // [node]
  const double* dN = nullptr;  // [node][ref_dim]
};

/// All shape functions at one point of a cell, on its first nodes: a view of tables on the host or the device.
struct PointShape {
  PointBasis geometry;    // of the geometry
  PointBasis unknown[2];  // the unknown's scalar bases
};

}  // namespace invar
