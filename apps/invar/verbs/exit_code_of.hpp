#pragma once
#include <exception>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// The exit code that an exception stands for; `bug` for one that should not get this far. An
/// option of PETSc's that PETSc refuses is a mistake of the command line.
ExitCode exit_code_of(const std::exception& error, bool petsc_options_given);

}  // namespace invar
