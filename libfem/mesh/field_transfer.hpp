#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Writes fields of a distributed mesh exactly into a mesh that was made of the same serial mesh: by regular refinement
/// (`refine`), by raising its order (`to_second_order`), or by both in that order. Either mesh may lie on the ranks as
/// it likes.
class FieldTransfer {
 public:
  /// `levels`: refinements between the two. Collective. Throws std::invalid_argument where the meshes do not fit.
  FieldTransfer(const Mesh& coarse, const Mesh& fine, int levels);

  /// One value of m components per cell of the rank, ghosts too: that of the parent. coarse: [coarse cells × m]; those
  /// of owned cells count. Gives [fine cells × m]. Collective.
  std::vector<double> cells(const std::vector<double>& coarse, int m) const;
  /// The same per node: the Lagrange function of the coarse cells' own order at the fine nodes. Collective.
  std::vector<double> nodes(const std::vector<double>& coarse, int m) const;

 private:
  /// A fine cell's parent and which of its descendants the cell is.
  struct Descent {
    long long parent;
    std::vector<int> children;  // of the last generation first
  };
  Descent descent(std::size_t block, int cell) const;

  const Mesh& coarse_;
  const Mesh& fine_;
  int levels_;
};

}  // namespace invar
