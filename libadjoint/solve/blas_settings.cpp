#include "libadjoint/solve/blas_settings.hpp"

#include <dlfcn.h>
#include <petscblaslapack.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string>

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

}  // namespace

void restart_with_suitable_blas(char** arguments) {
  const auto name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (!name) return;
  bool changed = false;
  const auto set = [&](const char* variable, const char* value) { changed |= setenv(variable, value, 0) == 0; };
  if (const char* kernels = better_kernels(name()); kernels && !std::getenv("OPENBLAS_CORETYPE"))
    set("OPENBLAS_CORETYPE", kernels);
  if (!std::getenv("OPENBLAS_NUM_THREADS") && !std::getenv("OMP_NUM_THREADS")) set("OPENBLAS_NUM_THREADS", "1");
  // Without an interpreter the program was started by the loader, which would be restarted in its place.
  if (!changed || getauxval(AT_BASE) == 0) return;
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  execv(path, arguments);  // returns only on failure: slower, not wrong
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
