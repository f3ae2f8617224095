#pragma once
#include <string>
#include <utility>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libfem/objective/measurement.hpp"

namespace invar {

/// What a case's physics notes of every step of a process (`PhysicsModel::step_numbers`), and how often the matrix got another
/// pattern in it, beginning with that of the start, as columns of steps/CASE.csv.
class StepNumbers {
 public:
  /// Before anything is solved. `model` must outlive it.
  explicit StepNumbers(CaseModel& model);
  /// Counts patterns from now on, after what `on_step` of the case already does.
  void listen();

  bool any() const { return !noted_.empty(); }
  const std::vector<double>& times() const { return model_->process->times(); }
  /// Of the states that were solved last, by the case's times. Collective.
  Measurement::Columns columns() const;

 private:
  CaseModel* model_;
  std::vector<std::pair<std::string, Measurement>> noted_;
  int patterns_ = 0;             // changes until the last step, or until the run began
  std::vector<double> changes_;  // per step of the last run
};

}  // namespace invar
