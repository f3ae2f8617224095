#pragma once
#include <map>
#include <set>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

struct LinearConstraint;

/// Tied unknowns as combinations of untied ones, by Gaussian elimination of one constraint after the other. A constraint k that varies
/// has a slack s_k, an unknown that is added to it, C_k w + s_k = 0, and is never tied: the coefficient of s_k in a tied unknown's row is that
/// unknown's derivative with respect to s_k, an entry of −C_F⁻¹ (C_F: the columns of tied unknowns).
class Followers {
 public:
  using Row = std::map<PetscInt, double>;
  static constexpr double smallest_pivot = 1e-9;  // relative to the largest coefficient of its row

  /// negligible: size of coefficients, relative to the largest term that is added up, that count as cancelled. 0 keeps all but zeros: by how much
  /// coefficients that vary differ from where they cancel is then not lost.
  explicit Followers(std::size_t slacks, double negligible = 1e-12);
  PetscInt slack(std::size_t k) const { return first_slack_ + static_cast<PetscInt>(k); }
  bool is_slack(PetscInt unknown) const { return unknown >= first_slack_; }
  std::size_t slack_number(PetscInt unknown) const { return static_cast<std::size_t>(unknown - first_slack_); }

  /// A constraint with tied unknowns replaced. changes: of its coefficients, by term; empty: none. size: of the largest term.
  Row reduced(const LinearConstraint& constraint, const std::vector<double>& changes, double& size) const;
  /// Solves a reduced row for an unknown in it, also in the rows of those that follow this unknown.
  void solve(Row row, PetscInt follower);
  /// Of tied unknowns.
  const std::map<PetscInt, Row>& rows() const { return rows_; }

 private:
  PetscInt first_slack_;
  double negligible_;
  std::map<PetscInt, Row> rows_;
  std::map<PetscInt, std::set<PetscInt>> led_;  // by master: the unknowns tied to it
};

}  // namespace invar
