#include "apps/invar/batch/sweep_display.hpp"

#include <unistd.h>

#include <iostream>

#include "apps/invar/report/console.hpp"

namespace invar {

SweepDisplay::SweepDisplay(std::size_t points, bool quiet) : points_(points), quiet_(quiet), terminal_(::isatty(STDOUT_FILENO)) {}

void SweepDisplay::clear() {
  for (; drawn_ > 0; --drawn_) std::cout << "\x1b[1A\x1b[2K";
  std::cout << std::flush;
}

void SweepDisplay::line(const std::string& text) {
  if (quiet_) return;
  clear();
  std::cout << text << std::endl;
}

void SweepDisplay::ended(const Sweep::Point& point, const RunState& state, const std::string& value, std::size_t settled) {
  if (terminal_ && state.kind == RunState::Kind::done) return;  // the table counts it
  line("  " + point.name + "  " + state.text() + (value.empty() ? "" : ", objective " + value) + " (" +
       duration_text(state.seconds) + ")  [" + std::to_string(settled) + " of " + std::to_string(points_) + ']');
}

void SweepDisplay::show(const std::map<RunState::Kind, int>& counts, const std::vector<std::string>& running) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || !terminal_ || now - last_ < std::chrono::milliseconds(250)) return;
  last_ = now;
  clear();
  std::cout << "  " << counts_text(counts) << '\n';
  for (const std::string& r : running) std::cout << "    " << r << '\n';
  drawn_ = 1 + running.size();
  std::cout << std::flush;
}

std::string counts_text(const std::map<RunState::Kind, int>& counts) {
  std::string out;
  for (const auto kind : {RunState::Kind::done, RunState::Kind::failed, RunState::Kind::running, RunState::Kind::waiting,
                          RunState::Kind::never_started})
    if (const auto n = counts.find(kind); n != counts.end() && n->second > 0)
      out += (out.empty() ? "" : ", ") + std::to_string(n->second) + ' ' + name_of(kind);
  return out;
}

}  // namespace invar
