#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// A number for each cell of the rank, own ones in an order of their own, and for cells of other ranks that are wanted besides.
class CellValues {
 public:
  /// own: the rank's own cells, positions among all of its cells. others: cells of other ranks, whose numbers are `first_number` of
  /// their rank and the place in its order. Collective.
  CellValues(const Mesh& mesh, std::vector<int> own, const std::vector<PetscInt>& others = {});
  /// The number of the first own cell, where each rank has so many. Collective.
  static PetscInt first_number(std::size_t own, MPI_Comm comm);

  const std::vector<int>& own() const { return own_; }
  /// [cell of the rank] position in the local array.
  std::vector<int> places() const;
  /// Own cells in order, then `others`, then the rank's other cells that are not among those; for LocalArray.
  Vec vector() const { return values_; }
  /// Value i becomes f(i), [own].
  template <class F>
  void fill(const F& f) {
    double* a = nullptr;
    check(VecGetArray(values_, &a));
    for (std::size_t i = 0; i < own_.size(); ++i) a[i] = f(i);
    check(VecRestoreArray(values_, &a));
  }
  /// [cell], ghosts too, as their owners have them. Collective.
  void spread(std::vector<double>& cells) const;

 private:
  std::vector<int> own_;
  std::vector<std::pair<int, int>> ghosts_;  // cell of the rank, position in the local array
  VecHandle values_;
};

}  // namespace invar
