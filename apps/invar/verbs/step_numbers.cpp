#include "apps/invar/verbs/step_numbers.hpp"

#include <utility>

namespace invar {

StepNumbers::StepNumbers(CaseModel& model) : model_(&model) {
  if (!model.path) noted_ = model.physics->step_numbers(model);
  changes_.assign(model.process->times().size(), 0.0);
}

void StepNumbers::listen() {
  if (!any()) return;
  Case& process = *model_->process;
  // Between runs sweeps change patterns, too.
  process.on_start = [this, before = process.on_start] {
    if (before) before();
    patterns_ = model_->residual->pattern_changes();
  };
  process.on_step = [this, before = process.on_step](int step, const NewtonReport& newton) {
    if (before) before(step, newton);
    const int now = model_->residual->pattern_changes();
    changes_[step] = now - std::exchange(patterns_, now);
  };
}

Measurement::Columns StepNumbers::columns() const {
  Measurement::Columns c;
  if (!any()) return c;
  if (model_->residual->capabilities().pattern) {
    c.names.emplace_back("pattern_changes");
    c.data.push_back(changes_);
  }
  const std::size_t first = c.data.size();
  for (const auto& noted : noted_) {
    c.names.push_back(noted.first);
    c.data.emplace_back(changes_.size(), 0.0);
  }
  model_->process->visit_states([&](int step, const EvaluationPoint& u) {
    for (std::size_t k = 0; k < noted_.size(); ++k) c.data[first + k][step] = noted_[k].second.value(u);
  });
  return c;
}

}  // namespace invar
