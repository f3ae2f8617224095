#pragma once
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// How the reverse sweeps of a transient case are truncated.
struct TruncatedSweeps {
  TransientCase* process = nullptr;
  int horizon = 0;                // steps that sweeps go back; 0: all
  bool single_precision = false;  // keep states in single precision

  bool any() const { return horizon > 0 || single_precision; }
};

/// While an object lives, the reverse sweeps of these cases go back to the initial time through states in double
/// precision. Afterwards they are truncated again, and `functional`, which owns the cases, must solve again.
class FullSweeps {
 public:
  FullSweeps(CaseFunctional& functional, std::vector<TruncatedSweeps> processes);
  ~FullSweeps();
  FullSweeps(const FullSweeps&) = delete;
  FullSweeps& operator=(const FullSweeps&) = delete;

 private:
  void set(bool full);

  CaseFunctional& functional_;
  std::vector<TruncatedSweeps> processes_;
};

/// Error of a gradient from truncated sweeps or rounded states.
struct TruncatedGradient {
  std::vector<std::string> causes;  // sentences, one per case and setting
  double relative_error = 0;        // ‖g − g_full‖ / ‖g_full‖, in θ
  double cosine = 0;                // of the angle between g and g_full
};

/// Reasons why the gradient is not exact, one sentence per case and setting; empty if it is exact.
std::vector<std::string> shortenings(const std::vector<TruncatedSweeps>& processes);
/// Compares the truncated gradient `kept` with `full`. Collective.
TruncatedGradient compare_shortened(const DesignVector& kept, const DesignVector& full, std::vector<std::string> causes,
                                    MPI_Comm comm);

}  // namespace invar
