#include "libfem/device/host_run.hpp"

#include <algorithm>
#include <numeric>

namespace invar {
namespace {

/// The order of n teams, or of a team's threads: a function of the seed and `at`.
std::vector<int> drawn_order(int n, unsigned seed, unsigned at, bool opposite) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::seed_seq sequence{seed, at};
  std::minstd_rand random(sequence);  // quick to seed
  std::shuffle(order.begin(), order.end(), random);
  if (opposite) std::ranges::reverse(order);
  return order;
}

}  // namespace

void MemoryWatch::begin_team() { std::fill(known_.begin(), known_.end(), false); }
void MemoryWatch::begin_phase() {
  std::fill(writer_.begin(), writer_.end(), nobody);
  std::fill(reader_.begin(), reader_.end(), nobody);
}
double MemoryWatch::read(int place, int thread) {
  if (!inside(place)) return 0;
  if (!known_[place]) complain("reads before anything is written", place, thread);
  if (writer_[place] != nobody && writer_[place] != thread) complain("reads what another thread writes", place, thread);
  if (reader_[place] != nobody && reader_[place] != thread) reader_[place] = several;
  else reader_[place] = thread;
  return values_[place];
}
void MemoryWatch::write(int place, int thread, double value) {
  if (!inside(place)) return;
  if (writer_[place] != nobody && writer_[place] != thread) complain("writes where another thread writes", place, thread);
  if (reader_[place] != nobody && reader_[place] != thread) complain("writes what another thread reads", place, thread);
  writer_[place] = thread;
  known_[place] = true;
  values_[place] = value;
}
bool MemoryWatch::inside(int place) {
  if (place >= 0 && place < static_cast<int>(values_.size())) return true;
  complain("is outside of the team's memory", place, 0);
  return false;
}
void MemoryWatch::complain(const char* what, int place, int thread) {
  if (conflicts_.size() < 8)
    conflicts_.insert("thread " + std::to_string(thread) + " " + what + " (place " + std::to_string(place) + ")");
}

void run_on_host(const HostKernel& kernel) {
  std::vector<double> shared(kernel.shared_size);
  for (int team = 0; team < kernel.teams; ++team)
    for (int p = 0; p < kernel.phase_count; ++p)
      for (int thread = 0; thread < kernel.threads; ++thread) kernel.phases[p](kernel.kernel, team, thread, HostMemory{shared.data(), nullptr, thread});
}

std::set<std::string> run_watched(const HostKernel& kernel, unsigned seed, bool opposite) {
  MemoryWatch watch(kernel.shared_size);
  for (const int team : drawn_order(kernel.teams, seed, 0, opposite)) {
    watch.begin_team();
    for (int p = 0; p < kernel.phase_count; ++p) {
      watch.begin_phase();
      for (const int thread : drawn_order(kernel.threads, seed, 1 + team * kernel.phase_count + p, opposite))
        kernel.phases[p](kernel.kernel, team, thread, HostMemory{nullptr, &watch, thread});
    }
  }
  return watch.conflicts();
}

}  // namespace invar
