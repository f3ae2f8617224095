#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// While one lives, the reverse sweeps of all processes in time go back to their start, through states kept in
/// double precision, whatever the spec says. Then the problem is as it was, but not solved.
class FullSweeps {
 public:
  explicit FullSweeps(Problem& problem);
  ~FullSweeps();
  FullSweeps(const FullSweeps&) = delete;
  FullSweeps& operator=(const FullSweeps&) = delete;

 private:
  Problem& problem_;
};

/// What is left of a gradient whose sweeps are cut short, or go through rounded states.
struct ShortenedGradient {
  std::vector<std::string> causes;  // in words, one per case and setting
  double relative_error = 0;        // ‖g − g_full‖ / ‖g_full‖, in θ
  double cosine = 0;                // of the angle between g and g_full
};

/// Why the problem's gradient is not the whole one, in words, one per case and setting; empty where it is.
std::vector<std::string> shortenings(const Problem& problem);
/// What `kept` is of the gradient `full`. Collective.
ShortenedGradient compare_shortened(const DesignVector& kept, const DesignVector& full, std::vector<std::string> causes,
                                    MPI_Comm comm);

}  // namespace invar
