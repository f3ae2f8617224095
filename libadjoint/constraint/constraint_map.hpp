#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// One unknown that follows others: w_row = Σ coefficient · w_master.
struct Tie {
  PetscInt row = 0;                                    // global, of the rank that names the tie
  std::vector<std::pair<PetscInt, double>> masters{};  // global rows, of any rank; none of them follows another
};

/// Linear constraints w = T q between the unknowns w of one or several equations, with fewer unknowns q: periodic
/// boundaries, tied surfaces, averages, rigid parts. w are the unknowns of all equations, on each rank one equation
/// after the other; q are those that follow no other, in their order and on their ranks. Values that are prescribed
/// enter as unknowns of an equation that holds them, so T is constant. All calls are collective.
class ConstraintMap {
 public:
  /// like: a vector of each equation. ties: of own rows. block: unknowns of the first equation that stand together at a
  /// node, each rank's in whole blocks; multigrid gets to know of such blocks of q where no tie divides one.
  /// Throws std::invalid_argument on every rank where a row is tied twice, a master follows another unknown, or a row
  /// is not the rank's own.
  ConstraintMap(const std::vector<Vec>& like, const std::vector<Tie>& ties, int block = 1);

  /// A zero q.
  VecHandle create_reduced() const;
  int part_count() const { return static_cast<int>(parts_.size()); }
  /// u = T q, the unknowns of one equation.
  void expand(Vec q, Vec u, int part = 0) const { check(MatMult(matrix(part), q, u)); }
  /// q_bar += Tᵀ u_bar
  void add_reduced(Vec u_bar, Vec q_bar, int part = 0) const { check(MatMultTransposeAdd(matrix(part), u_bar, q_bar, q_bar)); }

  /// Rows of T of one equation [u × q].
  Mat matrix(int part = 0) const { return parts_[part].T; }
  /// Own position in q of an own unknown of the equation (both local), −1: it follows others.
  const std::vector<int>& reduced_rows(int part = 0) const { return parts_[part].reduced; }

 private:
  struct Part {
    MatHandle T;
    std::vector<int> reduced;
  };
  std::vector<Part> parts_;
};

}  // namespace invar
