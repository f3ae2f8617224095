#pragma once
#include "apps/invar/spec/command_line.hpp"

namespace invar {

/// `run SWEEPDIR --task N` for a task N as the command line of run N of that sweep: its spec, values, folder and PETSc options, and
/// --resume. Throws IoError where there is no sweep, UsageError where it has no such run.
CommandLine task_line(const CommandLine& line, int task);

}  // namespace invar
