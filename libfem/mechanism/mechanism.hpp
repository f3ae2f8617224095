#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_numbers.hpp"
#include "libadjoint/residual.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mechanism/mechanism_term.hpp"

namespace invar {

/// The equation of unknowns that belong to no node, stored on the last rank: mean strains, motions of regions and rigid parts,
/// multipliers. Some are prescribed, others are coupled by laws. Nodes are tied to them by a `ConstraintMap`. The controls are those
/// of the equation that provides the numbers.
class Mechanism final : public Residual, public Evolution, public Potential {
 public:
  explicit Mechanism(std::shared_ptr<FormResidual> numbers) : numbers_(std::move(numbers)) {}

  // Construction, before the first use.
  /// Those that its numbers with `MechanismNumber::rest` ≥ 0 are.
  void read_rest(std::shared_ptr<const TieNumbers> rest) { rest_ = std::move(rest); }
  /// Returns the unknown's number. multiplier: it has no rate.
  int add_unknown(std::string name, bool multiplier = false);
  void hold(int unknown, MechanismNumber value);
  /// Forces on the displacement `unknown` are added to the row of `velocity`, for equations with velocities among their unknowns.
  void test_with(int unknown, int velocity) { row_of_[unknown] = velocity; }
  void add_initial(Level level, int unknown, MechanismNumber value) { initial_.push_back({level, unknown, std::move(value)}); }
  void add_term(std::unique_ptr<MechanismTerm> term) { terms_.push_back(std::move(term)); }
  void finish();

  int size() const { return static_cast<int>(names_.size()); }
  const std::string& name(int unknown) const { return names_[unknown]; }
  bool is_multiplier(int unknown) const { return multipliers_[unknown] != 0; }
  bool is_held(int unknown) const { return held_[unknown].control >= 0; }
  double held_value(int unknown, const Setting& given) const { return number(held_[unknown], *given.controls, given.constraint_time); }

  MPI_Comm comm() const override { return numbers_->comm(); }
  VecHandle create_vector() const override;
  const std::vector<ControlInfo>& controls() const override { return numbers_->controls(); }
  const Controls& control_values() const override { return numbers_->control_values(); }
  const RowSet& constrained_rows() const override { return rows_; }
  void impose_constraints(const Setting& given, Vec y) override;
  bool residual(const EvaluationPoint& y, Vec r) override;
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& y, const PerLevel<double>& weights) override;
  Mat matrix() const override { return matrix_; }
  /// True without laws.
  bool symmetric() const override { return terms_.empty(); }
  Capabilities capabilities() override;
  /// Zero: available only without laws.
  double potential(const EvaluationPoint&) override { return 0; }
  void jvp(const EvaluationPoint& y, const State& y_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(const EvaluationPoint& y, Vec lambda, const State& y_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& y, Vec lambda, const State& y_dot, Vec lambda_dot, const Controls* d_dot,
                   const State& y_bar_dot, Controls* d_bar_dot) override;
  std::vector<char> algebraic_unknowns() const override;
  SolveReport initial(Level level, const Setting& given, Vec y) override;
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec y_dot) override;
  SolveReport initial_vjp(Level level, const Setting& given, Vec y_bar, Controls& d_bar) override;

 private:
  struct Initial {
    Level level;
    int unknown;
    MechanismNumber value;
  };
  struct Inputs;
  std::vector<int> rows_of(const MechanismTerm& term) const;
  /// Number of own unknowns: all on the last rank, none on others.
  int own() const { return here_ ? size() : 0; }
  std::vector<double> held_start(const MechanismNumber& held, Level level, const Setting& given) const;
  /// Rest numbers, or along a direction d_dot, may be null, their rates; empty without. Collective.
  std::vector<double> rest_values(const Controls& d) const { return rest_ ? rest_->values(d) : std::vector<double>(); }
  std::vector<double> rest_rates(const Controls& d, const Controls* d_dot) const { return rest_ && d_dot ? rest_->rates(d, *d_dot) : std::vector<double>(); }
  double number(const MechanismNumber& n, const Controls& d, double t) const;
  void add_to_number(const MechanismNumber& n, double bar, Controls& d_bar, double t) const;

  std::shared_ptr<FormResidual> numbers_;
  std::shared_ptr<const TieNumbers> rest_;
  std::vector<std::string> names_;
  std::vector<char> multipliers_;      // UnknownKind
  std::vector<int> row_of_;            // row for the forces on an unknown
  std::vector<MechanismNumber> held_;  // per unknown
  std::vector<Initial> initial_;
  std::vector<std::unique_ptr<MechanismTerm>> terms_;
  RowSet rows_;            // prescribed ones, on the last rank
  bool here_ = false;      // this is the last rank
  MatHandle matrix_;
};

}  // namespace invar
