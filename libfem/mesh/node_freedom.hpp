#pragma once
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/node_cells.hpp"

namespace invar {

/// Along which edges a node of a serial mesh may move without a change of the mesh's boundary, of the places where cells of different kinds
/// meet, or of any region: everywhere inside, within plane sides, along straight edges between two plane sides, and nowhere else. Points that are
/// regions stay.
class NodeFreedom {
 public:
  /// kind: [cell through all blocks] cells of different kinds have a common boundary that stays; those of different regions do anyway.
  NodeFreedom(const Mesh& serial, std::span<const int> kind);

  /// Whether node a may move on the straight line to node b of a common cell.
  bool may_move(int a, int b);

 private:
  struct Freedom {
    bool everywhere = false;
    std::vector<int> towards{};
  };
  /// A facet at a node that has to stay where it is: a part of the plane with that normal.
  struct Wall {
    std::array<int, 4> category;        // exterior or not, kinds on both sides, regions of the facet
    std::array<double, 3> normal;
    std::vector<int> ends, vertices{};  // neighbours of the node along the facet; all of its vertices
  };
  Freedom freedom_of(int node) const;
  std::vector<Wall> walls_at(int node) const;
  std::array<double, 3> step(int from, int to) const;

  const Mesh& mesh_;
  NodeCells cells_;
  std::vector<int> kind_;                // [cell] with its regions
  std::map<VertexKey, int> named_;       // facets in regions: which set of them
  std::vector<const Region*> curves_;    // regions of dimension 1 in space
  std::vector<char> in_curve_;           // [node]
  std::vector<char> is_point_;           // [node]
  std::unordered_map<int, Freedom> known_;
};

}  // namespace invar
