#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/report/run_state.hpp"

namespace invar {

/// Console output of a sweep: a table that is updated on a terminal, otherwise a line for each run that ends.
class SweepDisplay {
 public:
  SweepDisplay(std::size_t points, bool quiet);

  void line(const std::string& text);
  /// Reports a run that has ended; `value` is its objective, if any.
  void ended(const Sweep::Point& point, const RunState& state, const std::string& value, std::size_t settled);
  /// Draws the table again, on a terminal, a few times a second.
  void show(const std::map<RunState::Kind, int>& counts, const std::vector<std::string>& running);
  void clear();

 private:
  std::size_t points_, drawn_ = 0;  // lines of the table on the screen
  bool quiet_, terminal_;
  std::chrono::steady_clock::time_point last_{};
};

/// "93 done, 7 failed, 2 running", without zero counts.
std::string counts_text(const std::map<RunState::Kind, int>& counts);

}  // namespace invar
