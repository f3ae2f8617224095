#pragma once
#include "apps/invar/spec/command_line.hpp"
#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// One function per verb of the command line. They throw SpecError (exit 3), MeshError and IoError
/// like everything below them; everything else that can go wrong in a run is an exit code.
ExitCode validate(const CommandLine& line);
ExitCode run(const CommandLine& line);
/// Several runs in one process: those of a sweep's `together`. Collective.
ExitCode run_together(const std::vector<CommandLine>& lines);
ExitCode resume(const CommandLine& line);
ExitCode verify(const CommandLine& line);
ExitCode check(const CommandLine& line);
ExitCode gradient(const CommandLine& line);
ExitCode sweep(const CommandLine& line);
ExitCode slurm(const CommandLine& line);
ExitCode status(const CommandLine& line);
ExitCode collect(const CommandLine& line);
ExitCode report(const CommandLine& line);
ExitCode schema(const CommandLine& line);
ExitCode init(const CommandLine& line);
ExitCode show(const CommandLine& line);
ExitCode completion(const CommandLine& line);

}  // namespace invar
