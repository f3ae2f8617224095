#pragma once
#include <ctime>

namespace invar {

/// Seconds that the process has used of a processor, its threads together: what other processes on the machine disturb least.
inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace invar
