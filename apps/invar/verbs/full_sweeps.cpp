#include "apps/invar/verbs/full_sweeps.hpp"

#include <cmath>
#include <stdexcept>

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

DesignVector gradient_at(Problem& problem, const DesignVector& theta) {
  DesignVector g;
  if (const Evaluation e = problem.functional->gradient(theta, g); !e.ok)
    throw std::runtime_error("the gradient cannot be evaluated again: " + e.reason);
  return g;
}

}  // namespace

FullSweeps::FullSweeps(Problem& problem) : problem_(problem) { set_sweeps(problem_, true); }
FullSweeps::~FullSweeps() { set_sweeps(problem_, false); }

std::optional<ShortenedGradient> measure_shortening(Problem& problem, const DesignVector& theta) {
  ShortenedGradient result;
  for (const CaseModel& model : problem.cases) {
    if (!is_shortened(model)) continue;
    const MarchOptions& o = model.march->options;
    if (o.horizon > 0) result.causes.push_back("case " + model.name + ": horizon of " + std::to_string(o.horizon) + " steps");
    if (o.storage.single_precision) result.causes.push_back("case " + model.name + ": states in single precision");
  }
  if (result.causes.empty()) return std::nullopt;
  const DesignVector kept = gradient_at(problem, theta);
  const DesignVector full = [&] {
    const FullSweeps sweeps(problem);
    return gradient_at(problem, theta);
  }();
  const MPI_Comm comm = problem.functional->comm();
  const double length = norm(full, comm), kept_length = norm(kept, comm);
  DesignVector difference = kept;
  difference.axpy(-1, full);
  result.relative_error = length > 0 ? norm(difference, comm) / length : kept_length > 0 ? INFINITY : 0.0;
  result.cosine = length > 0 && kept_length > 0 ? dot(kept, full, comm) / (length * kept_length) : 0.0;
  return result;
}

}  // namespace invar
