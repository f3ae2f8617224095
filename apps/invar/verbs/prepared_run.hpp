#pragma once
#include <memory>

#include "apps/invar/spec/command_line.hpp"
#include "apps/invar/spec/exit_codes.hpp"
#include "apps/invar/verbs/session.hpp"

namespace invar {

/// A run whose problem is built and of which nothing is written yet.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;
  virtual Session& session() = 0;
  /// Exceptions are recorded in run.json and rethrown.
  virtual ExitCode execute() = 0;
  /// The folder is free again; nothing may be written any more.
  virtual void leave() = 0;
};

/// The run of `run SPEC` from its start. Throws what building a problem throws.
std::unique_ptr<PreparedRun> prepare_run(const CommandLine& line);

}  // namespace invar
