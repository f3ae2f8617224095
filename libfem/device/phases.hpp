#pragma once
#include "libfem/math/host_device.hpp"
#include "libfem/math/static_for.hpp"

namespace invar {

/// Memory shared by the threads of a team, [shared_size] numbers, on a device.
struct TeamMemory {
  double* data;

  INVAR_HD double read(int place) const { return data[place]; }
  INVAR_HD void write(int place, double value) const { data[place] = value; }
};

inline constexpr int most_threads = 128;  // of a team

/// A kernel in phases is a plain struct with
///   phase_count            static constant
///   teams(), threads()     of a team; a team is a block of threads on a device
///   shared_size()          numbers that a team shares
///   phase<P>(team, thread, memory)
///                          what a thread does in phase P. Within a phase no thread reads what another one writes, in the
///                          team's memory or elsewhere, nor do two write the same; what a phase has written all threads of the
///                          team see in the next. memory: TeamMemory, or what reads and writes like it.
///   least_teams            static constant, may be missing: teams that a processor of a device must hold at the same time, by which it
///                          hides that each waits; its registers are divided among them
/// Devices run phases with a barrier in between, hosts run them as loops (`host_run.hpp`): one source, and emulation without
/// threads.
#if defined(__CUDACC__)
template <int P, class Kernel>
__device__ void run_phases_from(const Kernel& kernel, const TeamMemory& memory) {
  kernel.template phase<P>(int(blockIdx.x), int(threadIdx.x), memory);
  if constexpr (P + 1 < Kernel::phase_count) {
    __syncthreads();
    run_phases_from<P + 1>(kernel, memory);
  }
}
template <class Kernel>
constexpr int least_teams() {
  if constexpr (requires { Kernel::least_teams; }) return Kernel::least_teams;
  else return 1;
}
template <class Kernel>
__global__ void __launch_bounds__(most_threads, least_teams<Kernel>()) run_phases(const Kernel kernel) {
  extern __shared__ double shared[];
  run_phases_from<0>(kernel, TeamMemory{shared});
}

/// Returns the error of the launch.
template <class Kernel>
cudaError_t run_on_device(const Kernel& kernel) {
  if (kernel.teams() == 0) return cudaSuccess;
  const std::size_t bytes = kernel.shared_size() * sizeof(double);
  if (bytes > 48 * 1024)
    if (const cudaError_t error = cudaFuncSetAttribute(run_phases<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
        error != cudaSuccess)
      return error;
  run_phases<<<kernel.teams(), kernel.threads(), bytes>>>(kernel);
  return cudaGetLastError();
}
#endif

}  // namespace invar
