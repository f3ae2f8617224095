#pragma once
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libfem/mesh/point_locator.hpp"

namespace invar {

/// Nodes that lie outside of the cells from which they take a field; the same on all ranks.
struct NodesOutside {
  long long nearest = 0;  // that take the value at the nearest point (round-off does not count)
  long long beyond = 0;   // that are farther away than they may be
  double farthest = 0;    // m, of all
  struct Worst {
    double distance = 0, tolerance = 0;  // m: how far away it is, and might be
    std::array<double, 3> place{};       // m
    std::string region;                  // that holds it, of the lowest dimension; empty: none does
  } worst;                               // of those beyond
};

/// A nodal field of another mesh at the nodes of a mesh.
struct InterpolatedField {
  std::vector<double> values;  // [nodes], 0 where none was wanted, and at ghosts
  NodesOutside outside;
};

/// Nodal fields of one mesh at the nodes of another, by the shape functions of the cells, straight or curved, that contain
/// these; a node outside takes the value at the nearest point. Fields of parts of the mesh that have no node in common
/// (bodies) need not fit to each other: where regions of cells of both meshes have names in common, a node takes a field
/// from those parts alone that hold cells of its own cells' regions; where it does not live in any of them, from all. Keeps references to both
/// meshes.
class FieldInterpolation {
 public:
  /// from: a serial mesh, the same on all ranks of to.comm. tolerance: m, how far nodes may lie outside; without it a
  /// tenth of the extent of the cell that is nearest.
  FieldInterpolation(const Mesh& from, const Mesh& to, std::optional<double> tolerance = {});

  /// values: [nodes of `from`], NaN where the field does not live. It is of second order in second-order cells of whose
  /// nodes all have a value, else of first order in cells of whose vertices all have one. wanted: [nodes of `to`].
  /// Collective.
  InterpolatedField at_nodes(std::span<const double> values, const std::vector<char>& wanted);

 private:
  /// Cells that a field lives in.
  struct Support {
    std::map<int, PointLocator> locators;  // by class of nodes; −1: all cells
    std::vector<CellPosition> places;      // [owned nodes of `to`], as far as they were wanted
  };
  void find_parts();
  void find_classes(int part_count);
  CellPosition find(const std::vector<unsigned char>& order, Support& support, int node_class, const double* point) const;
  double extent(const CellPosition& at) const;
  NodesOutside gathered(NodesOutside mine, int worst_node) const;

  const Mesh& from_;
  const Mesh& to_;
  std::optional<double> tolerance_;
  std::vector<int> first_cell_;              // [blocks of `from`], numbers through all blocks
  std::vector<int> part_;                    // [cell of `from`]
  std::vector<std::vector<char>> classes_;   // [class][part]: whether nodes of the class take fields from the part
  std::vector<int> class_;                   // [owned nodes of `to`]
  std::map<std::vector<unsigned char>, Support> supports_;  // by the order of the field in each cell, 0: it is not there
};

}  // namespace invar
