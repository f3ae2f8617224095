#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libadjoint/constraint/reduced_residual.hpp"
#include "libadjoint/constraint/tie_elimination.hpp"
#include "libadjoint/observable.hpp"
#include "libadjoint/time/step_table.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

class Mechanism;
class RestNumbers;
class TieCoefficients;

/// The equation that is solved if nodal unknowns are tied to each other and to the unknowns of a mechanism.
class TiedEquation {
 public:
  /// The nodal equation must be finished, and the mechanism must have all unknowns to which nodes are tied. Collective.
  TiedEquation(std::shared_ptr<FormResidual> nodal, std::shared_ptr<Mechanism> mechanism);
  /// Numbers on which varying constraints and laws depend, before `solve`.
  void set_rest(std::shared_ptr<const RestNumbers> rest) { rest_ = std::move(rest); }
  /// Names in reports: of the mechanism's unknowns, and of the constraints' sources.
  void set_names(std::map<std::string, int> unknowns, std::vector<std::string> sources) {
    unknowns_ = std::move(unknowns);
    source_names_ = std::move(sources);
  }

  /// Global number of an unknown of the mechanism in constraints.
  PetscInt global(int unknown) const { return static_cast<PetscInt>(nodal_->dofs().n_global()) + unknown; }
  /// Whether an unknown is prescribed by a boundary condition or the mechanism. For unknowns of any rank; available once
  /// `finish` has begun.
  bool is_held(PetscInt unknown) const;
  /// Solves the constraints. Those that leave relations between prescribed values only are ignored if these satisfy them, for example where
  /// a no-slip wall ends at periodic sides. In case of conflicts the equation cannot be built. Collective.
  const Elimination& solve(const std::vector<LinearConstraint>& constraints);
  /// Values of those unknowns of the mechanism that are prescribed, or determined by prescribed ones, at each of several times; after
  /// `solve`. Collective.
  std::vector<std::map<int, double>> prescribed() const;
  /// Builds the equation. Further unknowns and terms may be added to the mechanism before.
  void finish();

  const std::shared_ptr<ReducedResidual>& equation() const { return equation_; }
  /// Converts an observable of the nodal equation to one of the solved equation. supports: motions of nodes to which it is conjugate as the
  /// force of their supports [one at most if its size is not 1]. To it is added what ties carry to the prescribed ones of these nodes: forces on
  /// unknowns that follow them, at nodes that the motion does not move and in the mechanism (tendons, rigid parts). Collective.
  std::shared_ptr<Observable> observed(std::shared_ptr<Observable> nodal, const std::vector<VecHandle>& supports = {}) const;
  /// The mechanism's unknown with this name; −1: none.
  int unknown(const std::string& name) const;
  std::vector<std::string> names() const;
  const Mechanism& mechanism() const { return *mechanism_; }
  /// All unknowns of the mechanism, multipliers too, at a level of a solved state q; the same on every rank. Collective.
  std::vector<double> numbers(const EvaluationPoint& q, Level level) const;
  std::shared_ptr<Observable> value_of(int unknown, Level level = Level::value) const;
  /// The support force conjugate to a prescribed unknown of the mechanism; null: the unknown is tied to others.
  std::shared_ptr<Observable> force_of(int unknown) const;
  /// Norm of the forces in the rows of q due to a change u_dot of the nodal unknowns at u, after subtraction of what multipliers (forces of joints
  /// and of rigid shapes) can balance. still: own nodal unknowns whose rows, like those of the mechanism, are left out; null: no row is. Collective.
  double unbalanced_force(Vec u, Vec u_dot, const std::vector<int>* still = nullptr) const;
  /// Motions of the mechanism's unknowns, [unknown], that no force, no inertia and no constraint resists where a solve begins, at rest with the
  /// prescribed values of its time: null vectors of the step's tangent there. step: of a march, or of statics, where the equation reads the
  /// solved value. A basis; empty: there are none. Collective.
  std::vector<std::vector<double>> free_motions(const StepTable& step) const;
  /// The nodal state of a solved state q.
  void unfold(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use) const;
  /// Own nodes in constraints that hold for their undesigned positions only, [local].
  std::vector<int> fixed_nodes() const;
  /// Names of the sources of constraints that were left out because they held, and do not hold for these controls. Collective.
  std::vector<std::string> broken(const Controls& d) const;
  /// Names of the sources of constraints of which a tied nodal unknown differs by more than a few percent of the largest value from the
  /// initial value or rate that it is given: it alone takes up that difference when a march begins. Collective, after `finish`.
  std::set<std::string> violated_at_start(Level level, const Setting& start) const;
  /// Why no equation can be solved for these controls, as a sentence; empty: it can. Collective.
  std::string why_not(const Controls& d) const;
  /// Description of an unknown of q for reports, by its global number; collective.
  std::string name_of(PetscInt row) const;

 private:
  /// Adds the force on the unknowns that follow a motion of q, conjugate to it, without nodal ones for which `counted` is not zero. Collective.
  void add_forces_along(Vec motion, Vec counted, std::vector<std::shared_ptr<Observable>>& forces) const;
  /// Copies the untied nodal unknowns into a vector q.
  VecHandle picked(Vec u) const;
  /// Forces in the rows of q due to a change of q; zero in prescribed rows.
  VecHandle force_of_change(const EvaluationPoint& at, const State& q_dot) const;
  /// Of each unknown of the mechanism: the sum of the absolute nodal forces that its row adds up where tied nodes move to and fro by one, times how
  /// far it moves a node itself. Round-off of the forces between these unknowns is relative to this.
  std::vector<double> force_terms(const EvaluationPoint& at, const StepTable& step) const;
  /// The change of one unknown of the mechanism; zero if it is tied to others.
  VecHandle unit_change(int unknown) const;
  /// Prescribed values at several times, for the setting there.
  using HeldSamples = std::vector<std::pair<Setting, std::vector<double>>>;
  HeldSamples held_samples(const Controls& d) const;
  /// Whether prescribed values satisfy Σ coefficient · unknown = 0.
  bool satisfy(const std::map<PetscInt, double>& terms, const HeldSamples& held) const;
  /// Prescribed values of constrained nodal unknowns, in the order of `held_`, at a time.
  std::vector<double> held_values(const Setting& given) const;
  /// The value of a prescribed unknown; at_nodes: `held_values`.
  double held_value(PetscInt unknown, const std::vector<double>& at_nodes, const Setting& given) const;

  std::shared_ptr<FormResidual> nodal_;
  std::shared_ptr<Mechanism> mechanism_;
  std::map<std::string, int> unknowns_;
  std::vector<std::string> source_names_;
  std::shared_ptr<const RestNumbers> rest_;
  std::vector<PetscInt> fixed_;  // global, at nodes: unknowns in constraints that keep positions
  std::vector<PetscInt> held_;  // global, at nodes, ascending
  Elimination solved_;
  std::shared_ptr<const TieCoefficients> coefficients_;  // null: no tie varies
  std::shared_ptr<const ConstraintMap> map_;
  std::shared_ptr<ReducedResidual> equation_;
};

}  // namespace invar
