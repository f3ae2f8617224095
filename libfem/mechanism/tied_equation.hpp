#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/constraint/reduced_residual.hpp"
#include "libadjoint/constraint/tie_elimination.hpp"
#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

class Mechanism;

/// An equation at nodes whose unknowns are tied to each other and to the unknowns of a mechanism: what is solved in its
/// place.
class TiedEquation {
 public:
  /// The equation is finished; the mechanism has all its unknowns that are tied. Collective.
  TiedEquation(std::shared_ptr<FormResidual> nodal, std::shared_ptr<Mechanism> mechanism);
  /// Unknowns of the mechanism by the names that reports give them.
  void set_names(std::map<std::string, int> unknowns) { unknowns_ = std::move(unknowns); }

  /// Unknown of the mechanism, as constraints name it.
  PetscInt global(int unknown) const { return static_cast<PetscInt>(nodal_->dofs().n_global()) + unknown; }
  /// Whether a boundary condition, or the mechanism, holds that unknown. Of any rank's, after `finish` began.
  bool is_held(PetscInt unknown) const;
  /// Solves the constraints. Those among prescribed values alone that these meet are passed over, as where a wall, on which flow
  /// does not slip, ends at periodic sides. Where there are conflicts, the equation cannot be made. Collective.
  const Elimination& solve(const std::vector<LinearConstraint>& constraints);
  /// Makes the equation. The mechanism may get further unknowns and terms before.
  void finish();

  const std::shared_ptr<ReducedResidual>& equation() const { return equation_; }
  /// An observable of the nodal equation, and one of the mechanism, as observables of what is solved.
  std::shared_ptr<Observable> observed(std::shared_ptr<Observable> nodal) const;
  /// The mechanism's unknown of that name, −1: there is none.
  int unknown(const std::string& name) const;
  std::vector<std::string> names() const;
  std::shared_ptr<Observable> value_of(int unknown, Level level = Level::value) const;
  /// The force that holds an unknown of the mechanism, work-conjugate to it; null: it follows others.
  std::shared_ptr<Observable> force_of(int unknown) const;
  /// The norm of the forces that a change u_dot of unknowns at nodes, at u, brings about in the rows of q, as far as multipliers, the forces
  /// of joints and of rigid shapes, cannot balance them. Collective.
  double unbalanced_force(Vec u, Vec u_dot) const;
  /// What a state q stands for, at nodes.
  void unfold(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use) const;
  /// Own nodes of which an unknown follows others, or is followed, [local]: their places are in the constraints.
  std::vector<int> tied_nodes() const;
  /// What an unknown of q is, for reports, by its global number; collective.
  std::string name_of(PetscInt row) const;

 private:
  /// Entries of unknowns at nodes that follow no other, as q.
  VecHandle picked(Vec u) const;
  /// Of unknowns at nodes that are held, in the order of `held_`, what they are held at; at a time.
  std::vector<double> held_values(const Setting& given) const;

  std::shared_ptr<FormResidual> nodal_;
  std::shared_ptr<Mechanism> mechanism_;
  std::map<std::string, int> unknowns_;
  std::vector<PetscInt> held_;  // global, at nodes, ascending
  Elimination solved_;
  std::shared_ptr<const ConstraintMap> map_;
  std::shared_ptr<ReducedResidual> equation_;
};

}  // namespace invar
