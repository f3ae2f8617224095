#pragma once
#include <memory>
#include <vector>

#include "libadjoint/constraint/followers.hpp"
#include "libadjoint/constraint/tie_elimination.hpp"

namespace invar {

/// Coefficients of ties as numbers: those that follow from constraints C(v) w = 0 whose coefficients vary with the numbers v of `TieNumbers`.
/// With the tied unknowns in the order of their elimination, w = W q, the derivative is that of an inverse: W' = −C_F⁻¹ C' W, C_F being the
/// columns of tied unknowns. −C_F⁻¹ is what the elimination gives as coefficients of slacks (`Followers`), W with them satisfies the same
/// equation, which gives second derivatives.
class TieCoefficients final : public TieNumbers {
 public:
  /// solved: by `eliminate`, some of them varying. start: the numbers for the given coefficients.
  TieCoefficients(MPI_Comm comm, std::vector<LinearConstraint> solved, std::shared_ptr<const TieNumbers> numbers, std::vector<double> start);

  /// Ties by the same elimination, with all unknowns that they may ever follow and with the coefficients that vary as these numbers.
  std::vector<Tie> varying(std::vector<Tie> ties) const;
  /// Whether any coefficient of a tie varies.
  bool some_vary() const { return size_ > 0; }
  const std::vector<double>& start() const { return start_coefficients_; }
  /// Constraints for these controls, with tied unknowns replaced: what is left of each if it does not follow from the ties. Collective.
  std::vector<Followers::Row> left_of(const std::vector<LinearConstraint>& constraints, const Controls& d) const;

  std::vector<double> values(const Controls& d) const override;
  bool admissible(const Controls& d) const override;
  std::vector<double> rates(const Controls& d, const Controls& d_dot) const override;
  void add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const override;
  void add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const override;

 private:
  using Row = Followers::Row;
  /// The row of a tied unknown: its varying coefficients are the numbers from `first` on.
  struct Varying {
    PetscInt row;
    std::vector<PetscInt> masters;  // ascending
    int first;
  };
  using Rows = std::map<PetscInt, Row>;

  void find_varying();
  std::vector<double> changes_of(const LinearConstraint& constraint) const;
  /// Eliminates for these controls, unless they are those of the last call. Collective.
  void solve(const Controls& d) const;
  /// Eliminates for the present numbers.
  void eliminate_again(Followers none) const;
  std::vector<double> coefficients() const;
  /// Σ factor · rate of the number · row of the unknown over the variations of the k-th varying constraint.
  Row rate_of_constraint(std::size_t k, const std::vector<double>& rates) const;
  /// Rates of the rows of tied unknowns, with slacks.
  Rows rates_of_rows(const std::vector<double>& rates) const;
  /// v_bar += Σ slack's coefficient · factor · ⟨row of the unknown, bar⟩, over the variations of the constraints whose slacks a row has.
  /// untied_too: an unknown without a row stands for itself, else it counts as zero.
  void add_by_variations(const std::vector<double>& bar, const Rows& of_slacks, const Rows& of_unknowns, bool untied_too, std::vector<double>& v_bar) const;

  MPI_Comm comm_;
  std::vector<LinearConstraint> solved_;
  std::vector<std::size_t> varying_constraints_;  // positions, by number of slack
  std::shared_ptr<const TieNumbers> numbers_;
  std::vector<double> start_;
  std::vector<Varying> varying_;
  std::size_t size_ = 0;
  std::vector<double> start_coefficients_;
  // For the controls of the last call:
  mutable Controls present_;
  mutable std::vector<double> at_;  // the numbers
  mutable Followers followers_;
  mutable bool solvable_ = true;
};

}  // namespace invar
