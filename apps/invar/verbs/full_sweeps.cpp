#include "apps/invar/verbs/full_sweeps.hpp"

#include <cmath>

namespace invar {
namespace {

bool is_shortened(const CaseModel& model) {
  return model.march && (model.march->options.horizon > 0 || model.march->options.storage.single_precision);
}

/// Sweeps of the cases that are shortened: as their specs say, or in full.
void set_sweeps(Problem& problem, bool full) {
  bool changed = false;
  for (const CaseModel& model : problem.cases) {
    if (!is_shortened(model)) continue;
    auto& process = dynamic_cast<TransientCase&>(*model.process);
    process.set_horizon(full ? 0 : model.march->options.horizon);
    process.set_single_precision(!full && model.march->options.storage.single_precision);
    changed = true;
  }
  if (changed) problem.functional->forget();
}

}  // namespace

FullSweeps::FullSweeps(Problem& problem) : problem_(problem) { set_sweeps(problem_, true); }
FullSweeps::~FullSweeps() { set_sweeps(problem_, false); }

std::vector<std::string> shortenings(const Problem& problem) {
  std::vector<std::string> causes;
  for (const CaseModel& model : problem.cases) {
    if (!is_shortened(model)) continue;
    const MarchOptions& o = model.march->options;
    if (o.horizon > 0) causes.push_back("case " + model.name + ": horizon of " + std::to_string(o.horizon) + " steps");
    if (o.storage.single_precision) causes.push_back("case " + model.name + ": states in single precision");
  }
  return causes;
}

ShortenedGradient compare_shortened(const DesignVector& kept, const DesignVector& full, std::vector<std::string> causes,
                                    MPI_Comm comm) {
  const double length = norm(full, comm), kept_length = norm(kept, comm);
  DesignVector difference = kept;
  difference.axpy(-1, full);
  return {.causes = std::move(causes),
          .relative_error = length > 0 ? norm(difference, comm) / length : kept_length > 0 ? INFINITY : 0.0,
          .cosine = length > 0 && kept_length > 0 ? dot(kept, full, comm) / (length * kept_length) : 0.0};
}

}  // namespace invar
