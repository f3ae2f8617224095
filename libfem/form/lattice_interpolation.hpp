#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Interpolation from the nodes of a coarse lattice to those of a finer one: the mean of the coarse nodes between which a node lies. The
/// PETSc matrix is a shell with products and their transposes, which keeps four bytes for each such node where a sparse matrix keeps
/// twelve for each of its components.
class LatticeInterpolation {
 public:
  /// What lies where on a rank. Unknowns: [node][component].
  struct Nodes {
    int components = 1;
    std::vector<int> end;             // [own fine nodes] where their `parents` end
    std::vector<int> parents;         // coarse nodes: own ones in their order, then `others`
    std::vector<char> fixed;          // own fine unknowns that are zero whatever the coarse ones are
    std::vector<char> coarse_fixed;   // own coarse unknowns that count as zero
    std::vector<PetscInt> others;     // numbers of coarse nodes of other ranks
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
