#pragma once
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// How the reverse sweeps of a process in time fall short of the whole gradient.
struct TruncatedSweeps {
  TransientCase* process = nullptr;
  int horizon = 0;                // steps that sweeps go back; 0: all
  bool single_precision = false;  // states are kept in

  bool any() const { return horizon > 0 || single_precision; }
};

/// While one lives, the reverse sweeps of these processes go back to their start, through states kept in double
/// precision. Then the sweeps are short again, and `functional`, whose cases the processes are, is not solved.
class WholeSweeps {
 public:
  WholeSweeps(CaseFunctional& functional, std::vector<TruncatedSweeps> processes);
  ~WholeSweeps();
  WholeSweeps(const WholeSweeps&) = delete;
  WholeSweeps& operator=(const WholeSweeps&) = delete;

 private:
  void set(bool full);

  CaseFunctional& functional_;
  std::vector<TruncatedSweeps> processes_;
};

/// What is left of a gradient whose sweeps are cut short, or go through rounded states.
struct ShortenedGradient {
  std::vector<std::string> causes;  // sentences, one per case and setting
  double relative_error = 0;        // ‖g − g_full‖ / ‖g_full‖, in θ
  double cosine = 0;                // of the angle between g and g_full
};

/// Why the gradient is incomplete, a sentence per case and setting; empty where it is.
std::vector<std::string> shortenings(const std::vector<TruncatedSweeps>& processes);
/// What `kept` is of the gradient `full`. Collective.
ShortenedGradient compare_shortened(const DesignVector& kept, const DesignVector& full, std::vector<std::string> causes,
                                    MPI_Comm comm);

}  // namespace invar
