#include "libadjoint/solve/nvidia_driver.hpp"

#include <dlfcn.h>

namespace invar {

std::string nvidia_driver(const char* library) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return {};
  const auto begin = reinterpret_cast<int (*)()>(dlsym(opened, "nvmlInit_v2"));
  const auto ask = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(opened, "nvmlSystemGetDriverVersion"));
  const auto end = reinterpret_cast<int (*)()>(dlsym(opened, "nvmlShutdown"));
  std::string number;
  if (begin && ask && end && begin() == 0) {
    char text[96] = {};  // the library's own limit is 80 characters
    if (ask(text, sizeof text - 1) == 0) number = text;
    end();
  }
  dlclose(opened);
  return number;
}

}  // namespace invar
