#pragma once
#include <string>
#include <utility>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libfem/objective/measurement.hpp"

namespace invar {

/// What a case's physics notes of every step of a process (`PhysicsModel::step_numbers`), and how often the matrix got another
/// pattern in it, as columns of steps/CASE.csv.
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
  int patterns_ = 0, last_ = -1;  // so far; the step solved last
  std::vector<double> changes_;   // per step; NaN of the first one where the process was solved before
};

}  // namespace invar
