#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Disjoint copies of a serial mesh at the same place: samples of one problem, as one equation. Nodes of copy k follow those of copy
/// k − 1, and so do the entities of each block of cells and facets. A region consists of those of all copies.
class MeshCopies {
 public:
  /// Throws std::invalid_argument if the mesh is not serial or the count is not positive.
  MeshCopies(const Mesh& serial, int count);

  /// All copies as one serial mesh.
  const Mesh& mesh() const { return mesh_; }
  int count() const { return count_; }
  /// Numbers of the copies to which the local nodes of a part of this mesh (`distribute`) belong; its cells, and its facets, of all blocks
  /// one after the other.
  std::vector<int> of_nodes(const Mesh& part) const;
  std::vector<int> of_cells(const Mesh& part) const { return of_entities(part, part.cells); }
  std::vector<int> of_facets(const Mesh& part) const { return of_entities(part, part.facets); }

 private:
  std::vector<int> of_entities(const Mesh& part, const std::vector<CellBlock>& blocks) const;

  Mesh mesh_;
  int count_;
};

}  // namespace invar
