#include "apps/invar/verbs/program.hpp"

#include <cstdio>
#include <iostream>
#include <new>

#include "apps/invar/batch/task_line.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/exit_code_of.hpp"
#include "apps/invar/verbs/sudden_end.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "apps/invar/verbs/version.hpp"
#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/solve/mpi_singleton.hpp"
#include "libadjoint/solve/sync_point.hpp"

namespace invar {
namespace {

/// tasks: where the line names several runs of a sweep, the line of each.
ExitCode dispatch(const CommandLine& line, const std::vector<CommandLine>& tasks) {
  if (!tasks.empty()) return run_together(tasks);
  switch (line.verb) {
    case Verb::validate: return validate(line);
    case Verb::run: return run(line);
    case Verb::resume: return resume(line);
    case Verb::verify: return verify(line);
    case Verb::check: return check(line);
    case Verb::gradient: return gradient(line);
    case Verb::sweep: return sweep(line);
    case Verb::slurm: return slurm(line);
    case Verb::status: return status(line);
    case Verb::collect: return collect(line);
    case Verb::report: return report(line);
    case Verb::schema: return schema(line);
    case Verb::init: return init(line);
    case Verb::show: return show(line);
    case Verb::completion: return completion(line);
    case Verb::none: break;
  }
  return ExitCode::ok;
}

/// Converts exceptions to a message and an exit code.
template <class Work>
ExitCode guarded(Work&& work, bool petsc_options_given, std::string& complaint) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    complaint = "invar: error: not enough memory\n";
    return ExitCode::solve;
  } catch (const std::exception& e) {
    const ExitCode code = exit_code_of(e, petsc_options_given);
    if (code == ExitCode::bug) complaint = "invar: this is a bug, please report it: ";
    else if (dynamic_cast<const UsageError*>(&e)) complaint = "invar: ";
    else if (code == ExitCode::usage) complaint = "invar: error: invalid options after '--': ";
    else if (code != ExitCode::input) complaint = "invar: error: ";
    complaint += e.what();
    if (!complaint.ends_with('\n')) complaint += '\n';
    return code;
  }
}

/// Waits until every rank has ended; false after a timeout, if only some ranks failed.
bool all_ended(bool failed) {
  return largest_at(PETSC_COMM_WORLD, SyncPoint::end, failed, failed ? patience_after_failure : endless_patience).has_value();
}

int run_program(int argc, char** argv) {
  choose_suitable_blas();
  end_on_signal();
  end_on_escaped_exception();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  CommandLine line;
  try {
    line = CommandLine::parse(arguments);
  } catch (const UsageError& e) {
    // Not the full help, which would scroll the message off the screen.
    std::cerr << "invar: " << e.what() << "\n'invar --help' lists verbs and options\n";
    return static_cast<int>(ExitCode::usage);
  }
  if (line.help || line.version || line.verb == Verb::none) {
    std::cout << (line.version ? version_text(line.verbosity > 0) : CommandLine::usage());
    return static_cast<int>(line.help || line.version ? ExitCode::ok : ExitCode::usage);
  }
  std::string complaint;
  if (is_without_mpi(line.verb)) {
    const ExitCode code = guarded([&] { return dispatch(line, {}); }, false, complaint);
    std::cerr << complaint << std::flush;
    return static_cast<int>(code);
  }
  std::vector<CommandLine> tasks;
  if (!line.tasks.empty()) {
    const auto read = [&] {
      for (const int task : line.tasks) tasks.push_back(task_line(line, task));
      line = tasks.front();
      if (tasks.size() == 1) tasks.clear();
      return ExitCode::ok;
    };
    const ExitCode code = guarded(read, false, complaint);
    if (code != ExitCode::ok) {
      std::cerr << complaint << std::flush;
      return static_cast<int>(code);
    }
  }
  // PETSc gets its own options only and reads no .petscrc, which beside a foreign spec could write files and start programs.
  std::vector<std::string> options = {argv[0], "-skip_petscrc"};
  options.insert(options.end(), line.petsc_options.begin(), line.petsc_options.end());
  std::vector<char*> raw;
  for (std::string& s : options) raw.push_back(s.data());
  raw.push_back(nullptr);
  configure_mpi_singleton();
  int count = static_cast<int>(options.size());
  char** pointers = raw.data();
  if (PetscInitialize(&count, &pointers, nullptr, nullptr)) return static_cast<int>(ExitCode::bug);
  PetscPopSignalHandler();  // signals then have the system's default action
  end_on_signal();
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);  // errors are returned as codes
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const auto work = [&] {
    reserve_blas_memory();
    return dispatch(line, tasks);
  };
  const ExitCode code = guarded(work, !line.petsc_options.empty(), complaint);
  if (rank == 0) std::cerr << complaint << std::flush;
  if (!all_ended(!complaint.empty())) {
    if (rank != 0) std::cerr << complaint << std::flush;
    end_soon(code);  // MPI_Abort may wait for others
    MPI_Abort(PETSC_COMM_WORLD, static_cast<int>(code));
  }
  PetscFinalize();
  return static_cast<int>(code);
}

}  // namespace

int program(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::exception& e) {  // before or after the verb, possibly without MPI
    std::fprintf(stderr, "invar: error: %s\n", dynamic_cast<const std::bad_alloc*>(&e) ? "not enough memory" : e.what());
    return static_cast<int>(exit_code_of(e, false));
  }
}

}  // namespace invar
