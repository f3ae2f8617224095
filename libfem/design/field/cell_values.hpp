#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// One number per local cell: own cells in a given order, then requested cells of other ranks.
class CellValues {
 public:
  /// own: this rank's own cells, local numbers. others: cells of other ranks, numbered by `first_number` of their rank plus their
  /// position in its order. Collective.
  CellValues(const Mesh& mesh, std::vector<int> own, const std::vector<PetscInt>& others = {});
  /// Number of the first own cell if each rank has `own` cells. Collective.
  static PetscInt first_number(std::size_t own, MPI_Comm comm);

  const std::vector<int>& own() const { return own_; }
  /// [cell of the rank] position in the local array.
  std::vector<int> places() const;
  /// Own cells in order, then `others`, then the remaining local cells; for LocalArray.
  Vec vector() const { return values_; }
  /// Sets value i to f(i), [own].
  template <class F>
  void fill(const F& f) {
    double* a = nullptr;
    check(VecGetArray(values_, &a));
    for (std::size_t i = 0; i < own_.size(); ++i) a[i] = f(i);
    check(VecRestoreArray(values_, &a));
  }
  /// [cell], ghosts included, with the owners' values. Collective.
  void spread(std::vector<double>& cells) const;

 private:
  std::vector<int> own_;
  std::vector<std::pair<int, int>> ghosts_;  // cell of the rank, position in the local array
  VecHandle values_;
};

}  // namespace invar
