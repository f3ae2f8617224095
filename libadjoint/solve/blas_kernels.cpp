#include "libadjoint/solve/blas_kernels.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace invar {

void use_fitting_blas_kernels([[maybe_unused]] char** arguments) {
#ifdef __x86_64__
  const auto name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (!name || std::getenv("OPENBLAS_CORETYPE")) return;
  // What it falls back to: kernels without AVX.
  const std::string chosen = name();
  if (chosen != "Prescott" && chosen != "Nehalem" && chosen != "Core2" && chosen != "Generic") return;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (!wide && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) return;
  setenv("OPENBLAS_CORETYPE", wide ? "SkylakeX" : "Haswell", 1);
  execv("/proc/self/exe", arguments);  // comes back only when it fails: slower, not wrong
#endif
}

}  // namespace invar
