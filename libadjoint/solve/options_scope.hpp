#pragma once
#include <string>
#include <string_view>

#include "libadjoint/petsc.hpp"

namespace invar {

/// During the lifetime of the object, PETSc objects see the method's options ("key value key value …") as defaults;
/// options of the user have precedence.
class OptionsScope {
 public:
  OptionsScope(const std::string& prefix, std::string_view defaults);
  OptionsScope(const OptionsScope&) = delete;
  OptionsScope& operator=(const OptionsScope&) = delete;
  ~OptionsScope();

 private:
  PetscOptions options_ = nullptr;
};

/// During the lifetime of the object, PETSc errors are returned as codes without output on the terminal.
struct QuietErrors {
  QuietErrors() { PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors() { PetscPopErrorHandler(); }
};

}  // namespace invar
