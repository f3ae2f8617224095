#pragma once

namespace invar {

/// The whole program: reads the command line, starts MPI and PETSc where the verb needs them, runs the verb, reports what
/// went wrong. Gives the exit code of the process. Once per process.
int program(int argc, char** argv);

}  // namespace invar
