#pragma once
#include <array>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libfem/device/phases.hpp"

namespace invar {

/// Records which threads have read and written each number of a team's memory during a phase.
class MemoryWatch {
 public:
  explicit MemoryWatch(int size) : values_(size, 0.0), known_(size, false), writer_(size, nobody), reader_(size, nobody) {}

  void begin_team();
  void begin_phase();
  double read(int place, int thread);
  void write(int place, int thread, double value);
  /// One line per kind of conflict.
  const std::set<std::string>& conflicts() const { return conflicts_; }

 private:
  static constexpr int nobody = -1, several = -2;

  bool inside(int place);
  void complain(const char* what, int place, int thread);

  std::vector<double> values_;
  std::vector<char> known_;
  std::vector<int> writer_, reader_;
  std::set<std::string> conflicts_;
};

/// A team's memory as seen by one thread on the host, with or without recording.
struct HostMemory {
  double* data;
  MemoryWatch* watch;  // nullptr: no recording
  int thread;

  double read(int place) const { return watch ? watch->read(place, thread) : data[place]; }
  void write(int place, double value) const {
    if (watch) watch->write(place, thread, value);
    else data[place] = value;
  }
};

/// A kernel of any type and its phases as functions: what runs it is compiled once, and each phase once per kernel.
struct HostKernel {
  using Phase = void (*)(const void* kernel, int team, int thread, const HostMemory& memory);

  const void* kernel;  // stays where it is
  int teams, threads, shared_size, phase_count;
  const Phase* phases;
};
template <class Kernel, int P>
void phase_on_host(const void* kernel, int team, int thread, const HostMemory& memory) {
  static_cast<const Kernel*>(kernel)->template phase<P>(team, thread, memory);
}
template <class Kernel>
HostKernel host_kernel(const Kernel& kernel) {
  static constexpr auto phases = []<int... P>(std::integer_sequence<int, P...>) {
    return std::array<HostKernel::Phase, sizeof...(P)>{&phase_on_host<Kernel, P>...};
  }(std::make_integer_sequence<int, Kernel::phase_count>());
  return {&kernel, kernel.teams(), kernel.threads(), kernel.shared_size(), Kernel::phase_count, phases.data()};
}

/// Runs a kernel as loops.
void run_on_host(const HostKernel& kernel);

/// The same with the teams, and the threads of each phase, in an order drawn from `seed`, or in the opposite order: of any two threads each
/// comes first in one of them. Returns the data races: conflicting accesses to the same number of a team's memory by different threads in one
/// phase, and reads of numbers that were never written. Results are bitwise equal to those of `run_on_host` if no thread reads or writes
/// what another one writes.
std::set<std::string> run_watched(const HostKernel& kernel, unsigned seed, bool opposite = false);

}  // namespace invar
