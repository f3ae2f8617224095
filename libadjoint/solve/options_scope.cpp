#include "libadjoint/solve/options_scope.hpp"

#include <sstream>

namespace invar {

OptionsScope::OptionsScope(const std::string& prefix, std::string_view defaults) {
  check(PetscOptionsCreate(&options_));
  std::istringstream words{std::string(defaults)};
  for (std::string key, value; words >> key >> value;)
    check(PetscOptionsSetValue(options_, ("-" + prefix + key).c_str(), value.c_str()));
  char* user = nullptr;
  check(PetscOptionsGetAll(nullptr, &user));
  check(PetscOptionsInsertString(options_, user));
  check(PetscFree(user));
  check(PetscOptionsPush(options_));
}

OptionsScope::~OptionsScope() {
  PetscOptionsPop();
  PetscOptionsDestroy(&options_);
}

}  // namespace invar
