#pragma once
#include <utility>
#include <vector>

#include "libadjoint/controls.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

/// One unknown that follows others: u_row = Σ coefficient · u_master + Σ factor · (number among the controls).
struct Tie {
  PetscInt row = 0;                                       // global, of the rank that names the tie
  std::vector<std::pair<PetscInt, double>> masters{};     // global rows, of any rank; none of them follows another
  std::vector<std::pair<int, double>> numbers{};          // positions of controls with one entry
};

/// Linear constraints between unknowns, u = T q + g(d), with fewer unknowns q: periodic boundaries, tied surfaces, mean
/// values, rigid parts at small rotations. q are the unknowns that follow no other, in their order and on their ranks.
/// g is linear in the controls and does not depend on time. All calls are collective.
class ConstraintMap {
 public:
  /// like: a vector of u. ties: of own rows.
  /// Throws std::invalid_argument on every rank where a row is tied twice, a master follows another unknown, or a row
  /// is not the rank's own.
  ConstraintMap(Vec like, const std::vector<Tie>& ties);

  /// A zero q.
  VecHandle create_reduced() const;
  /// u = T q, without g.
  void expand(Vec q, Vec u) const { check(MatMult(T_, q, u)); }
  /// q_bar += Tᵀ u_bar
  void add_reduced(Vec u_bar, Vec q_bar) const { check(MatMultTransposeAdd(T_, u_bar, q_bar, q_bar)); }
  /// u += g(d); d_bar += (∂g/∂d)ᵀ u_bar, a share of a sum, where it is wanted.
  void add_offset(const Controls& d, Vec u) const;
  void add_offset_transposed(Vec u_bar, Controls& d_bar) const;
  bool has_offset() const { return has_offset_; }

  /// T [u × q].
  Mat matrix() const { return T_; }
  /// Own position in q of an own unknown (both local), −1: it follows others.
  const std::vector<int>& reduced_rows() const { return reduced_; }

 private:
  struct OffsetTerm {
    int row, control;  // local
    double factor;
  };
  MatHandle T_;
  std::vector<int> reduced_;
  std::vector<OffsetTerm> offset_;
  bool has_offset_ = false;  // on any rank
};

}  // namespace invar
