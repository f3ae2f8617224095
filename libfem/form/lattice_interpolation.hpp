#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Interpolation from a coarse lattice to the next finer one: a fine node gets the mean of the adjacent coarse nodes. The PETSc matrix
/// is a shell with products and transposed products; it stores four bytes per adjacent node, where a sparse matrix stores twelve for
/// each component.
class LatticeInterpolation {
 public:
  /// Layout on a rank. Unknowns: [node][component].
  struct Nodes {
    int components = 1;
    std::vector<int> end;             // [own fine nodes] end of their entries in `parents`
    std::vector<int> parents;         // coarse nodes: own ones in order, then `others`
    std::vector<char> fixed;          // own fine unknowns that are zero
    std::vector<char> coarse_fixed;   // own coarse unknowns that count as zero
    std::vector<PetscInt> others;     // numbers of coarse nodes on other ranks
  };
  /// Collective.
  LatticeInterpolation(Nodes nodes, MPI_Comm comm);
  LatticeInterpolation(const LatticeInterpolation&) = delete;
  LatticeInterpolation& operator=(const LatticeInterpolation&) = delete;

  Mat mat() const { return mat_; }
  /// fine += P coarse. Collective.
  void add(Vec coarse, Vec fine);
  /// coarse = Pᵀ fine. Collective.
  void restrict_to(Vec coarse, Vec fine);

 private:
  Nodes nodes_;
  VecHandle coarse_;  // with ghosts
  MatHandle mat_;
};

}  // namespace invar
