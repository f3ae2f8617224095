#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/mesh/box_tree.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/nearest_on_facet.hpp"
#include "libfem/mesh/coordinate_field.hpp"

namespace invar {

/// Distance [m] of every node to the nearest point of walls, straight or curved like the mesh's facets. Every rank
/// holds all wall facets; the coordinates of their nodes are gathered from the owners.
/// Derivatives are exact. With the nearest point X(ξ) = Σ N_k(ξ) X_k and n = (x − X)/d, the envelope theorem gives
/// ∂d/∂x = n and ∂d/∂X_k = −N_k n at constant ξ; second derivatives include the changes of n and ξ. Nodes of the wall
/// keep the distance 0. If two points of the walls are equally near, derivatives are those of one of them.
class WallDistance final : public CoordinateField {
 public:
  /// Collective. Throws std::invalid_argument if a region does not exist or has no facets.
  WallDistance(std::shared_ptr<const Mesh> mesh, const std::vector<std::string>& regions);

  /// Number of wall facets of the whole mesh.
  int facet_count() const { return static_cast<int>(facets_.size()); }

  /// Distances are NaN if they depend on coordinates that are not finite.
  void move(const std::vector<double>& x) override;
  const std::vector<double>& values() const override { return distance_; }
  void jvp(const double* x_dot, double* field_dot) const override;
  void vjp(const double* field_bar, double* x_bar) const override;
  void vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot,
                   double* x_bar_dot) const override;

  /// Derivative of a node's distance by the position of a node of this rank.
  struct Sensitivity {
    int node;
    std::array<double, 3> by;  // [dim], 1
  };
  /// Appends those of one node: by its own position, and by those of the nodes of the nearest facet that this rank holds.
  void add_sensitivities(int node, std::vector<Sensitivity>& to) const;
  /// Whether this rank holds all wall nodes that one of the ranks marks, [local node]. Collective.
  bool holds_all(const std::vector<char>& marked) const;

 private:
  struct Facet {
    CellType type;
    std::vector<int> nodes;  // of the walls
  };
  /// Nearest wall point of a node.
  struct Foot {
    int facet = -1;  // −1: the node is on a wall
    NearestOnFacet at;
    std::array<double, 3> normal{};  // unit vector from the wall point to the node
  };

  FacetShape shape(const Facet& f) const { return {f.type, mesh_->dim}; }
  /// Gathers a nodal field [node × dim] at all wall nodes.
  std::vector<double> gathered(const double* nodal) const;
  /// The transpose: sums the contributions of all ranks to each wall node, at its owner.
  void add_to_owners(std::vector<double> at_walls, double* nodal) const;
  /// Values at one facet's nodes [node × dim].
  std::vector<double> of_facet(const Facet& f, const std::vector<double>& at_walls) const;
  Foot find(const double* point, const BoxTree& tree) const;
  BoxTree grow_tree() const;

  std::shared_ptr<const Mesh> mesh_;
  std::vector<Facet> facets_;      // of all ranks
  std::size_t n_wall_nodes_ = 0;   // of all ranks
  std::vector<int> wall_node_;     // [local node]: number of the wall node, −1: none
  std::vector<int> held_;          // [wall node]: local node, −1: not on this rank
  std::vector<double> x_, walls_;  // coordinates of the last `move`: local nodes, wall nodes
  std::vector<Foot> feet_;         // [local node]
  std::vector<double> distance_;
};

}  // namespace invar
