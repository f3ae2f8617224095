#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// A linear constraint that expresses one unknown by others: w_row = Σ coefficient · w_master.
struct Tie {
  PetscInt row = 0;                                    // global number, of a row that this rank owns
  std::vector<std::pair<PetscInt, double>> masters{};  // global rows, of any rank; masters must not be tied themselves
};

/// Linear constraints w = T q between the unknowns w of one or several equations, with fewer unknowns q: periodic boundaries,
/// tied surfaces, averages, rigid parts. On each rank w holds the unknowns of one equation after the other; q holds the
/// unknowns that are not tied, in the same order and on the same ranks. Prescribed values enter as unknowns of an equation
/// that prescribes them, so T is constant. All calls are collective.
class ConstraintMap {
 public:
  /// like: one vector per equation. ties: of own rows. block: number of unknowns per node of the first equation; each rank
  /// must own whole blocks. q gets this block size, for multigrid, if no tie splits a block.
  /// Throws std::invalid_argument on every rank if a row is tied twice, a master is itself tied, or a row is not owned by this
  /// rank.
  ConstraintMap(const std::vector<Vec>& like, const std::vector<Tie>& ties, int block = 1);

  /// A zero vector with the layout of q.
  VecHandle create_reduced() const;
  int part_count() const { return static_cast<int>(parts_.size()); }
  /// u = T q for the unknowns of one equation.
  void expand(Vec q, Vec u, int part = 0) const { check(MatMult(matrix(part), q, u)); }
  /// q_bar += Tᵀ u_bar
  void add_reduced(Vec u_bar, Vec q_bar, int part = 0) const { check(MatMultTransposeAdd(matrix(part), u_bar, q_bar, q_bar)); }

  /// The rows of T for one equation [u × q].
  Mat matrix(int part = 0) const { return parts_[part].T; }
  /// Local position in q of each own unknown of the equation; −1: the unknown is tied.
  const std::vector<int>& reduced_rows(int part = 0) const { return parts_[part].reduced; }

 private:
  struct Part {
    MatHandle T;
    std::vector<int> reduced;
  };
  std::vector<Part> parts_;
};

}  // namespace invar
