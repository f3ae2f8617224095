#pragma once

namespace invar {

/// The whole program: parses the command line, initialises MPI and PETSc if the verb needs them, runs the verb and reports errors.
/// Returns the exit code of the process. Call once per process.
int program(int argc, char** argv);

}  // namespace invar
