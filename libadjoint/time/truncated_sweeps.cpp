#include "libadjoint/time/truncated_sweeps.hpp"

#include <cmath>
#include <utility>

namespace invar {

FullSweeps::FullSweeps(CaseFunctional& functional, std::vector<TruncatedSweeps> processes)
    : functional_(functional), processes_(std::move(processes)) {
  set(true);
}

FullSweeps::~FullSweeps() { set(false); }

void FullSweeps::set(bool full) {
  bool changed = false;
  for (const TruncatedSweeps& s : processes_) {
    if (!s.any()) continue;
    s.process->set_horizon(full ? 0 : s.horizon);
    s.process->set_single_precision(!full && s.single_precision);
    changed = true;
  }
  if (changed) functional_.forget();
}

std::vector<std::string> shortenings(const std::vector<TruncatedSweeps>& processes) {
  std::vector<std::string> causes;
  for (const TruncatedSweeps& s : processes) {
    if (s.horizon > 0) causes.push_back("case " + s.process->name() + ": horizon of " + std::to_string(s.horizon) + " steps");
    if (s.single_precision) causes.push_back("case " + s.process->name() + ": states in single precision");
  }
  return causes;
}

TruncatedGradient compare_shortened(const DesignVector& kept, const DesignVector& full, std::vector<std::string> causes,
                                    MPI_Comm comm) {
  const double length = norm(full, comm), kept_length = norm(kept, comm);
  DesignVector difference = kept;
  difference.axpy(-1, full);
  return {.causes = std::move(causes),
          .relative_error = length > 0 ? norm(difference, comm) / length : kept_length > 0 ? INFINITY : 0.0,
          .cosine = length > 0 && kept_length > 0 ? dot(kept, full, comm) / (length * kept_length) : 0.0};
}

}  // namespace invar
