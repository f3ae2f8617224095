#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Transfers fields of a distributed mesh exactly to a mesh made from the same serial mesh by regular refinement
/// (`refine`), by raising its order (`to_second_order`), or by both in that order. The meshes may be distributed
/// differently.
class FieldTransfer {
 public:
  /// `levels`: number of refinements. Collective. Throws std::invalid_argument if the meshes do not match.
  FieldTransfer(const Mesh& coarse, const Mesh& fine, int levels);

  /// Cell fields with m components: each fine cell gets its ancestor's value. coarse: [coarse cells × m], owned entries
  /// are read. Returns [fine cells × m], ghosts included. Collective.
  std::vector<double> cells(const std::vector<double>& coarse, int m) const;
  /// Nodal fields: the Lagrange function on the coarse cells, of their own order, at the fine nodes. Collective.
  std::vector<double> nodes(const std::vector<double>& coarse, int m) const;

 private:
  /// The ancestor of a fine cell, and the path of children to the cell.
  struct Descent {
    long long parent;
    std::vector<int> children;  // the last generation first
  };
  Descent descent(std::size_t block, int cell) const;

  const Mesh& coarse_;
  const Mesh& fine_;
  int levels_;
};

}  // namespace invar
