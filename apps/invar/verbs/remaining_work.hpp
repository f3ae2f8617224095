#pragma once
#include <mpi.h>

#include <filesystem>
#include <string>

#include "apps/invar/spec/command_line.hpp"
#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// What `run --resume` has to do, found from the run folder: the whole run, the rest of an interrupted one, or nothing.
struct RemainingWork {
  enum class Kind { whole, rest, nothing };

  Kind kind = Kind::whole;
  std::filesystem::path folder;
  ExitCode code = ExitCode::ok;  // where nothing is left: how the run ended
  std::string description;       // the same as a sentence

  /// The same on all ranks. Throws BusyError where another process is at work, UsageError where the folder's run began
  /// with another spec. Collective.
  static RemainingWork of(const CommandLine& line, MPI_Comm comm);
};

}  // namespace invar
