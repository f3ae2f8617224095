#pragma once
#include "libadjoint/level.hpp"
#include "libfem/form/point_shape.hpp"
#include "libfem/math/host_device.hpp"

namespace invar {

/// Pairs of nodes of a cell whose blocks of the element matrix are wanted: all, each node with itself, or all vertices with linear shape
/// functions in place of the cell's own.
enum class NodePairs { all, same, vertices };

/// Cells (or facets) of one type with their tables, in device memory.
struct CellView {
  int n_cells = 0, n_nodes = 0, n_points = 0, ref_dim = 0;
  const double* weights = nullptr;  // [point]
  PointBasis geometry;              // tables of all points: N [point][node], dN [point][node][ref_dim]
  PointBasis unknown[2];            // of the unknown's scalar bases, on the cell's first nodes
  PointBasis linear;                // of linear functions on the cell's vertices; without tables where none are needed
  const int* node = nullptr;        // [cell][node]
  const int* dof = nullptr;         // [component][cell][node]; −1: no dof
  const int* cell = nullptr;        // [cell] position in values per cell

  /// Shape functions at point q.
  INVAR_HD PointShape at(int q) const { return {at(geometry, q), {at(unknown[0], q), at(unknown[1], q)}}; }
  INVAR_HD PointBasis linear_at(int q) const { return at(linear, q); }

 private:
  INVAR_HD PointBasis at(const PointBasis& all, int q) const {
    return {all.n_nodes, all.N + q * all.n_nodes, all.dN + q * all.n_nodes * ref_dim};
  }
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
