#pragma once
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libfem/mesh/point_locator.hpp"

namespace invar {

/// Nodes outside the cells from which they take a field; the same on all ranks.
struct NodesOutside {
  long long nearest = 0;  // number that take the value at the nearest point (round-off excluded)
  long long beyond = 0;   // number that are farther away than the tolerance
  double farthest = 0;    // largest distance, m
  struct Worst {
    double distance = 0, tolerance = 0;  // m: distance and tolerance
    std::array<double, 3> place{};       // m
    std::string region;                  // region of lowest dimension that contains the node; empty: none
  } worst;                               // the worst of those beyond the tolerance
};

/// A nodal field of one mesh, interpolated to the nodes of another.
struct InterpolatedField {
  std::vector<double> values;  // [nodes]; 0 where not wanted, and at ghosts
  NodesOutside outside;
};

/// Interpolates nodal fields of one mesh to the nodes of another with the shape functions of the cells, straight or curved, that contain
/// the nodes; a node outside takes the value at the nearest point. Fields of bodies without common nodes are interpolated separately: if
/// regions of cells in both meshes have names in common, a node takes a field only from bodies with cells in its own regions; if the field
/// does not exist there, from all bodies. Keeps references to both meshes.
class FieldInterpolation {
 public:
  /// from: a serial mesh, the same on all ranks of to.comm. tolerance: largest distance of nodes outside, m; default: a tenth of the size
  /// of the nearest cell.
  FieldInterpolation(const Mesh& from, const Mesh& to, std::optional<double> tolerance = {});

  /// values: [nodes of `from`], NaN where the field does not exist. Interpolation is of second order in second-order cells with values at
  /// all nodes, else of first order in cells with values at all vertices. wanted: [nodes of `to`]. Collective.
  InterpolatedField at_nodes(std::span<const double> values, const std::vector<char>& wanted);

 private:
  /// Cells in which a field exists.
  struct Support {
    std::map<int, PointLocator> locators;  // by class of nodes; −1: all cells
    std::vector<CellPosition> places;      // [owned nodes of `to`], for wanted ones
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
  std::vector<std::vector<char>> classes_;   // [class][part]: whether nodes of the class take fields from this body
  std::vector<int> class_;                   // [owned nodes of `to`]
  std::map<std::vector<unsigned char>, Support> supports_;  // by the order of the field in each cell; 0: no field there
};

}  // namespace invar
