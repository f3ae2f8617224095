// Reads many specs, with an empty line between them, as `invar validate` does, in one process:
//   validate_specs FILE [ACCEPTED]
// Each must be accepted or refused with file:line:column, for a mistake or for a device that this machine lacks; anything else
// is printed and ends with 1. ACCEPTED receives those that were accepted.
#include <petscsys.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/validate.hpp"
#include "apps/invar/report/io_error.hpp"
#include "libadjoint/solve/mpi_singleton.hpp"
#include "libadjoint/solve/solver_not_available.hpp"

namespace {

constexpr unsigned patience = 30;  // seconds for one spec
int current = 0;

extern "C" void on_signal(int signal) {
  std::fprintf(stderr, "spec %d: %s\n", current, signal == SIGALRM ? "takes too long" : "crashed");
  ::_exit(1);
}

enum class Verdict { accepted, refused_by_table, refused_by_problem, wrong };

/// Whether every line of a refusal says where; continued lines are indented.
bool says_where(const invar::SpecError& e) {
  static const std::regex place(R"(^[^\n]+:\d+:\d+: error: [\s\S]+)"), whole_file(R"(^\S*(\.csv|\.msh|/): error: [\s\S]+)");
  return !e.diagnostics().empty() && std::ranges::all_of(e.diagnostics(), [](const invar::Diagnostic& d) {
    return std::regex_match(d.text(), place) || std::regex_match(d.text(), whole_file);
  });
}

Verdict verdict_on(const std::filesystem::path& file) {
  static const invar::spec::Table table = invar::spec_table();
  bool by_table = true;
  try {
    invar::Diagnostics diagnostics;
    invar::spec::read_spec(file, {}, table, diagnostics);
    diagnostics.throw_if_any();
    by_table = false;
    invar::build_problem(file, {}, PETSC_COMM_WORLD);
    return Verdict::accepted;
  } catch (const invar::SpecError& e) {
    if (says_where(e)) return by_table ? Verdict::refused_by_table : Verdict::refused_by_problem;
    std::fprintf(stderr, "spec %d: a refusal without its place: %s\n", current, e.what());
  } catch (const invar::SolverNotAvailable& e) {
    static const std::regex place(R"(^[^\n]+:\d+:\d+: [\s\S]+)");
    if (std::regex_match(e.what(), place)) return Verdict::refused_by_problem;
    std::fprintf(stderr, "spec %d: a refusal without its place: %s\n", current, e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "spec %d: %s\n", current, e.what());
  }
  return Verdict::wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  invar::configure_mpi_singleton();
  if (PetscInitializeNoArguments()) return 1;
  PetscPopSignalHandler();
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE}) ::signal(signal, on_signal);
  std::ifstream in(argv[1]);
  std::ofstream accepted;
  if (argc > 2) accepted.open(argv[2]);
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("validate_specs_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "data.csv") << "t,value,x,y,u_x\n0.5,0.1,0.5,0.5,0\n1,0.2,0.7,0.5,0\n";
  int counts[4] = {};
  std::string spec;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) {
      spec += line + '\n';
      continue;
    }
    std::ofstream(folder / "spec.yaml") << spec;
    ++current;
    ::alarm(patience);
    const Verdict verdict = verdict_on(folder / "spec.yaml");
    ::alarm(0);
    ++counts[static_cast<int>(verdict)];
    if (verdict == Verdict::accepted && accepted.is_open()) accepted << spec << '\n';
    if (verdict == Verdict::wrong) std::ofstream("wrong_spec_" + std::to_string(current) + ".yaml") << spec;
    spec.clear();
  }
  std::filesystem::remove_all(folder);
  std::printf("%d specs: %d accepted, %d refused by the tables, %d when the problem was built, %d wrong\n", current, counts[0], counts[1],
              counts[2], counts[3]);
  PetscFinalize();
  return counts[3] == 0 && counts[0] > 0 && counts[1] > 0 && counts[2] > 0 ? 0 : 1;
}
