#pragma once
#include "libadjoint/level.hpp"
#include "libfem/form/point_shape.hpp"
#include "libfem/math/host_device.hpp"

namespace invar {

/// Pairs of nodes of a cell whose blocks of the element matrix are wanted: all, each node with itself, or all vertices with linear shape
/// functions in place of the cell's own.
enum class NodePairs { all, same, vertices };

/// Shape functions of a basis at one of n_points points, in tables in which the points of a node follow each other: threads with
/// consecutive points read consecutive numbers.
struct PointColumn {
  int n_nodes = 0, n_points = 0;
  const double* N = nullptr;   // from [node][point]
  const double* dN = nullptr;  // from [node][ref_dim][point]

  INVAR_HD double value(int node) const { return N[node * n_points]; }
  template <int RefDim>
  INVAR_HD void slopes(int node, double (&d)[RefDim + 1]) const {
    for (int m = 0; m < RefDim; ++m) d[m] = dN[(node * RefDim + m) * n_points];
  }
};
/// All shape functions at one point, likewise.
struct PointColumns {
  PointColumn geometry, unknown[2];
};

/// Dofs of a component of a form: number `shift` of a run of components that follow each other at the first n_nodes nodes of a cell.
struct alignas(16) ComponentPlace {
  int run, shift, n_nodes, unused = 0;
};

/// Cells (or facets) of one type with their tables, in device memory.
struct CellView {
  int n_cells = 0, n_nodes = 0, n_points = 0, ref_dim = 0;
  const double* weights = nullptr;  // [point]
  PointBasis geometry;              // tables of all points: N [point][node], dN [point][node][ref_dim]
  PointBasis unknown[2];            // of the unknown's scalar bases, on the cell's first nodes
  PointBasis linear;                // of linear functions on the cell's vertices; without tables where none are needed
  PointColumns columns;             // the numbers of the geometry and the bases once more, of point 0
  bool isoparametric = false;       // unknown[0] is the geometry's basis
  const int* node = nullptr;        // [cell][node]
  const int* dof = nullptr;         // [run][cell][node] of the run's first component
  const ComponentPlace* component = nullptr;
  const int* cell = nullptr;        // [cell] position in values per cell

  /// Shape functions at point q.
  INVAR_HD PointShape at(int q) const { return {at(geometry, q), {at(unknown[0], q), at(unknown[1], q)}}; }
  INVAR_HD PointBasis linear_at(int q) const { return at(linear, q); }
  INVAR_HD PointColumns column(int q) const { return {at(columns.geometry, q), {at(columns.unknown[0], q), at(columns.unknown[1], q)}}; }
  /// Dof of component c at node a of its cell, number `at` = cell · n_nodes + a of all; −1: it has none there.
  INVAR_HD int dof_of(int c, int at, int a) const {
    const ComponentPlace place = component[c];
    return a < place.n_nodes ? dof[place.run * n_cells * n_nodes + at] + place.shift : -1;
  }

 private:
  INVAR_HD PointBasis at(const PointBasis& all, int q) const {
    return {all.n_nodes, all.N + q * all.n_nodes, all.dN + q * all.n_nodes * ref_dim};
  }
  INVAR_HD static PointColumn at(const PointColumn& first, int q) { return {first.n_nodes, first.n_points, first.N + q, first.dN + q}; }
};

/// State at which a form is evaluated, and a direction; nullptr: zero. In device memory.
struct StateView {
  const double* coordinates = nullptr;          // [node][dim]
  const double* unknown[level_count] = {};      // [dof], by level
  const double* multiplier = nullptr;           // [dof]
  const double* coordinates_dot = nullptr;
  const double* unknown_dot[level_count] = {};
};

/// Values of one coefficient: one number, or one per cell, or per node.
struct CoefficientView {
  enum class Layout : int { constant, per_cell, per_node };
  Layout layout = Layout::constant;
  const double* values = nullptr;
  const double* direction = nullptr;  // nullptr: does not move
};

}  // namespace invar
