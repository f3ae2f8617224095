#pragma once
#include <dlfcn.h>

namespace invar {

/// A function of BLAS by its exported name; nullptr where it does not exist, e.g. one of OpenBLAS where BLAS is another library. from: RTLD_NEXT excludes
/// the program's own functions.
template <class Function>
Function function_of_blas(const char* name, void* from = RTLD_DEFAULT) {
  return reinterpret_cast<Function>(dlsym(from, name));
}

}  // namespace invar
