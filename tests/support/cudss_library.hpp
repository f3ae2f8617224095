#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace invar::test {

/// Tests use the cuDSS that INVAR_CUDSS names, else its replacement on the host. Set before any test of the program.
inline const int cudss_is_named = setenv("INVAR_CUDSS", INVAR_CUDSS_STAND_IN, 0);

inline bool cudss_is_replaced() { return std::string(std::getenv("INVAR_CUDSS")) == INVAR_CUDSS_STAND_IN; }

/// Symbolic analyses by the replacement so far.
inline long cudss_analyses() {
  void* const library = dlopen(INVAR_CUDSS_STAND_IN, RTLD_NOW | RTLD_LOCAL);
  const auto count = reinterpret_cast<long (*)()>(dlsym(library, "standInAnalyses"));
  const long analyses = count();
  dlclose(library);
  return analyses;
}

}  // namespace invar::test
