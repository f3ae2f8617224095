#pragma once
#include <memory>
#include <span>
#include <vector>

#include "libfem/form/cell_batches.hpp"

namespace invar {

/// W = [∫ over cell c of N_a], the transfer between cell fields and first-order nodes. Calls are collective.
class CellWeights {
 public:
  /// domain: on a first-order DofMap of one component; cells outside have no weight. axisymmetric (x = r): integrals over the full circle.
  CellWeights(const CellBatches& domain, bool axisymmetric);

  /// Cells of this rank, all blocks of Mesh::cells in turn, ghosts included.
  int cell_count() const { return static_cast<int>(volumes_.size()); }
  const std::vector<char>& owned() const { return owned_; }        // [cell]
  const std::vector<double>& volumes() const { return volumes_; }  // [cell] m³, planar per metre of depth

  /// The dofs of a cell's vertices, and their entries of W.
  std::span<const int> dofs_of(int cell) const { return {&dof_[start_[cell]], &dof_[start_[cell]] + (start_[cell + 1] - start_[cell])}; }
  std::span<const double> of(int cell) const { return {&weight_[start_[cell]], &weight_[start_[cell]] + (start_[cell + 1] - start_[cell])}; }
  /// nodes = Wᵀ cells; of cells only owned entries are read.
  void gather(const std::vector<double>& cells, Vec nodes) const;
  /// cells = W nodes, ghosts included.
  void spread(Vec nodes, std::vector<double>& cells) const;

 private:
  template <int Dim, bool Axisymmetric>
  void build(const CellBatches& domain);

  std::vector<char> owned_;
  std::vector<double> volumes_;
  std::vector<int> start_, dof_;  // [cell + 1] start of each cell, and the dofs of its vertices
  std::vector<double> weight_;    // W, parallel to dof_
};

}  // namespace invar
