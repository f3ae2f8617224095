#pragma once
#include <exception>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// Exit code for an exception; `bug` for types that are not expected here. If options of PETSc were given on the command line, errors of PETSc are
/// usage errors.
ExitCode exit_code_of(const std::exception& error, bool petsc_options_given);

}  // namespace invar
