#pragma once
#include <string>
#include <string_view>

#include "libadjoint/petsc.hpp"

namespace invar {

/// While alive, PETSc objects find the method's options ("key value key value …") as defaults below
/// the user's own ones.
class OptionsScope {
 public:
  OptionsScope(const std::string& prefix, std::string_view defaults);
  OptionsScope(const OptionsScope&) = delete;
  OptionsScope& operator=(const OptionsScope&) = delete;
  ~OptionsScope();

 private:
  PetscOptions options_ = nullptr;
};

/// While alive, PETSc errors are returned without a trace on the terminal.
struct QuietErrors {
  QuietErrors() { PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors() { PetscPopErrorHandler(); }
};

}  // namespace invar
