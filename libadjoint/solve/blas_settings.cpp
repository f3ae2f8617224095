#include "libadjoint/solve/blas_settings.hpp"

#include <petscblaslapack.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <string>

#include "libadjoint/solve/blas_function.hpp"
#include "libadjoint/solve/blas_single_column.hpp"

namespace invar {
namespace {

/// The kernels to request; nullptr: the present ones are suitable.
const char* better_kernels([[maybe_unused]] const std::string& chosen) {
#ifdef __x86_64__
  if (chosen != "Prescott" && chosen != "Nehalem" && chosen != "Core2" && chosen != "Generic") return nullptr;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

void choose_threads_and_kernels() {
  using Command = void (*)();
  const auto name = function_of_blas<char* (*)()>("openblas_get_corename");
  if (!name) return;
  const auto set_threads = function_of_blas<void (*)(int)>("openblas_set_num_threads");
  if (set_threads && !std::getenv("OPENBLAS_NUM_THREADS") && !std::getenv("OMP_NUM_THREADS")) {
    set_threads(1);
    if (const auto end_threads = function_of_blas<Command>("blas_thread_shutdown_")) end_threads();
  }
  const char* kernels = better_kernels(name());
  const auto forget = function_of_blas<Command>("gotoblas_dynamic_quit"), choose = function_of_blas<Command>("gotoblas_dynamic_init");
  if (!kernels || !forget || !choose || std::getenv("OPENBLAS_CORETYPE")) return;
  setenv("OPENBLAS_CORETYPE", kernels, 1);
  forget();
  choose();
}

}  // namespace

void choose_suitable_blas() {
  choose_threads_and_kernels();
  multiply_single_columns_by_vectors();
}

void reserve_blas_memory() {
  constexpr std::size_t room = std::size_t(200) << 20;  // 128 MB, a heap of malloc's, and some spare
  void* probe = ::mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (probe == MAP_FAILED) throw std::bad_alloc();
  ::munmap(probe, room);
  PetscBLASInt one = 1;
  PetscScalar alpha = 1, a = 1, b = 1;
  BLAStrsm_("L", "L", "N", "N", &one, &one, &alpha, &a, &one, &b, &one);
}

}  // namespace invar
