#include <iostream>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libadjoint/petsc.hpp"
#include "libfem/io/vtk_error.hpp"

namespace {

using invar::ExitCode;

ExitCode dispatch(const invar::CommandLine& line) {
  switch (line.verb) {
    case invar::Verb::validate: return invar::validate(line);
    case invar::Verb::run: return invar::run(line);
    case invar::Verb::check: return invar::check(line);
    case invar::Verb::schema: return invar::schema(line);
    case invar::Verb::none: break;
  }
  return ExitCode::ok;
}

/// Runs the verb and turns what went wrong into one message and an exit code.
ExitCode guarded(const invar::CommandLine& line, bool speaks) {
  const auto complain = [&](const std::string& text) {
    if (speaks) std::cerr << text << (text.ends_with('\n') ? "" : "\n");
  };
  try {
    return dispatch(line);
  } catch (const invar::SpecError& e) {
    complain(e.what());
    return ExitCode::input;
  } catch (const invar::IoError& e) {
    complain(std::string("invar: error: ") + e.what());
    return ExitCode::io;
  } catch (const invar::VtkError& e) {
    complain(std::string("invar: error: ") + e.what());
    return ExitCode::io;
  } catch (const std::exception& e) {
    complain(std::string("invar: this is a bug, please report it: ") + e.what());
    return ExitCode::bug;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  invar::CommandLine line;
  try {
    line = invar::CommandLine::parse(arguments);
  } catch (const invar::UsageError& e) {
    std::cerr << "invar: " << e.what() << "\n\n" << invar::CommandLine::usage();
    return static_cast<int>(ExitCode::usage);
  }
  if (line.help || line.version || line.verb == invar::Verb::none) {
    std::cout << (line.version ? std::string("invar " INVAR_VERSION "\n") : invar::CommandLine::usage());
    return static_cast<int>(line.help || line.version ? ExitCode::ok : ExitCode::usage);
  }
  // PETSc sees its own options only.
  std::vector<std::string> options = {argv[0]};
  options.insert(options.end(), line.petsc_options.begin(), line.petsc_options.end());
  std::vector<char*> raw;
  for (std::string& s : options) raw.push_back(s.data());
  raw.push_back(nullptr);
  int count = static_cast<int>(options.size());
  char** pointers = raw.data();
  if (PetscInitialize(&count, &pointers, nullptr, nullptr)) return static_cast<int>(ExitCode::bug);
  PetscPopSignalHandler();
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);  // errors come back as codes
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const ExitCode code = guarded(line, rank == 0 || ranks == 1);
  // A rank that fails alone must not leave the others waiting.
  if (ranks > 1 && code != ExitCode::ok) MPI_Abort(PETSC_COMM_WORLD, static_cast<int>(code));
  PetscFinalize();
  return static_cast<int>(code);
}
