#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "libadjoint/constraint/tie_numbers.hpp"
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

/// A linear constraint that expresses one unknown by others: w_row = Σ coefficient · w_master.
struct Tie {
  PetscInt row = 0;                                    // global number, of a row that this rank owns
  std::vector<std::pair<PetscInt, double>> masters{};  // global rows, of any rank; masters must not be tied themselves
  /// The coefficient of a master also has the term factor · (number − its value when the map is made), of `TieNumbers`.
  struct Variation {
    PetscInt master;
    int number;
    double factor;
  };
  std::vector<Variation> variations{};
};

/// Linear constraints w = T q between the unknowns w of one or several equations, with fewer unknowns q: periodic boundaries,
/// tied surfaces, averages, rigid parts. On each rank w holds the unknowns of one equation after the other; q holds the
/// unknowns that are not tied, in the same order and on the same ranks. Prescribed values enter as unknowns of an equation
/// that prescribes them, so T does not depend on time. It may depend on controls, T(d) = T_0 + Σ_k v_k(d) T_k with `TieNumbers` v,
/// where positions in a designed mesh are coefficients. All calls are collective.
class ConstraintMap {
 public:
  /// like: one vector per equation. ties: of own rows. block: number of unknowns per node of the first equation; each rank
  /// must own whole blocks. q gets this block size, for multigrid, if no tie splits a block. numbers: of variations of ties, null
  /// without; start: their values for the given coefficients.
  /// Throws std::invalid_argument on every rank if a row is tied twice, a master is itself tied, or a row is not owned by this
  /// rank.
  ConstraintMap(const std::vector<Vec>& like, const std::vector<Tie>& ties, int block = 1,
                std::shared_ptr<const TieNumbers> numbers = nullptr, std::vector<double> start = {});

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

  // Dependence on controls.

  /// Gives T the coefficients for these controls; before all that uses T, and without effect if it does not depend on any.
  void prepare(const Setting& given) const;
  bool varies() const { return numbers_ != nullptr; }
  /// Whether T makes sense for the controls that it is prepared for.
  bool admissible() const { return admissible_; }
  /// Changes whenever T does.
  int version() const { return version_; }
  /// Whether T q depends on the numbers, for one equation.
  bool varies_along(Vec q, int part) const;
  /// Rates of the numbers along a direction of the controls; empty: T does not change along it.
  std::vector<double> rates(const Controls* d_dot) const;
  /// u += Ṫ q for one equation.
  void add_rate(const std::vector<double>& rates, Vec q, Vec u, int part) const;
  /// q_bar += Ṫᵀ u_bar.
  void add_reduced_rate(const std::vector<double>& rates, Vec u_bar, Vec q_bar, int part) const;
  /// v_bar += (∂(T q)/∂v)ᵀ u_bar, this rank's share; v_bar is empty before the first use.
  void add_number_gradient(Vec q, Vec u_bar, std::vector<double>& v_bar, int part) const;
  /// d_bar += (∂v/∂d)ᵀ v_bar, of shares.
  void add_gradient(std::vector<double> v_bar, Controls& d_bar) const;
  /// Its derivative when d and v_bar vary: d_bar_dot += (∂v/∂d)ᵀ v_bar_dot + (∂²v/∂d² d_dot)ᵀ v_bar. d_dot null: zero.
  void add_gradient_rate(std::vector<double> v_bar, std::vector<double> v_bar_dot, const Controls* d_dot, Controls& d_bar_dot) const;

 private:
  struct Varying {
    int row;       // local, of u
    int column;    // position in `columns`
    double fixed;  // part of the coefficient that does not vary
    std::vector<std::pair<int, double>> terms;  // numbers and factors
  };
  struct Part {
    MatHandle T;
    std::vector<int> reduced;
    std::vector<Varying> varying{};
    std::vector<PetscInt> columns{};   // of q, for these
    mutable VecHandle at_columns{};    // entries of q there
    ScatterHandle from_reduced{};
  };
  /// visit(entry, rate of its coefficient)
  template <class Visit>
  static void visit_rates(const Part& part, const std::vector<double>& rates, Visit visit);
  void prepare_to_gather(Part& part) const;
  /// Sum of the ranks' shares.
  std::vector<double> total(std::vector<double> shares) const;
  /// Copies what the varying entries of T read of q.
  void gather(const Part& part, Vec q) const;

  std::vector<Part> parts_;
  std::shared_ptr<const TieNumbers> numbers_;
  mutable std::vector<double> present_;                     // their values in T
  mutable std::shared_ptr<const Controls> present_controls_;
  mutable int version_ = 0;
  mutable bool admissible_ = true;
};

}  // namespace invar
