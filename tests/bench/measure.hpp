#pragma once
#include <sys/resource.h>

#include <chrono>

#include "libadjoint/processor_seconds.hpp"

namespace invar {

/// Wall clock, s.
inline double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Largest resident size of this process so far, MB.
inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

}  // namespace invar
