#include "apps/invar/verbs/rest_of_run.hpp"

#include <fstream>
#include <sstream>

#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {
namespace {

std::string file_text(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

RestOfRun rest_found(const CommandLine& line) {
  RestOfRun left;
  left.folder = line.out.value_or(RunFolder::default_for(line.spec));
  const RunState state = RunState::of(left.folder);
  const std::string shown = "'" + left.folder.string() + "'";
  if (state.kind == RunState::Kind::running) RunLock::refuse(left.folder, RunLock::look(left.folder));
  if (state.kind == RunState::Kind::never_started || line.rerun == "all") return left;
  if (state.kind == RunState::Kind::failed && line.rerun == "failed") return left;
  std::error_code none;
  if (!std::filesystem::exists(left.folder / "resolved.yaml", none) && state.kind == RunState::Kind::waiting) return left;
  if (std::filesystem::exists(left.folder / "input.yaml", none) && file_text(left.folder / "input.yaml") != file_text(line.spec))
    throw UsageError("the run in " + shown + " began with another '" + line.spec.string() + "'; restore that file, choose another --out, or start again without --resume");
  if (state.kind == RunState::Kind::waiting) {
    left.kind = RestOfRun::Kind::rest;
    return left;
  }
  left.kind = RestOfRun::Kind::nothing;
  left.code = state.code.value_or(ExitCode::ok);
  left.words = state.kind == RunState::Kind::done ? "The run in " + shown + " has finished: " + state.reason
                                                  : "The run in " + shown + " has failed: " + state.reason + ". It begins anew with --rerun failed";
  return left;
}

}  // namespace

RestOfRun RestOfRun::of(const CommandLine& line, MPI_Comm comm) {
  int rank = 0, facts[3] = {};  // kind or, from 10 on, an error; exit code; length of the words
  MPI_Comm_rank(comm, &rank);
  RestOfRun out;
  if (rank == 0) {
    try {
      out = rest_found(line);
      facts[0] = static_cast<int>(out.kind);
    } catch (const BusyError& e) {
      facts[0] = 10, out.words = e.what();
    } catch (const UsageError& e) {
      facts[0] = 11, out.words = e.what();
    }
    facts[1] = static_cast<int>(out.code);
    facts[2] = static_cast<int>(out.words.size());
  }
  MPI_Bcast(facts, 3, MPI_INT, 0, comm);
  out.words.resize(static_cast<std::size_t>(facts[2]));
  MPI_Bcast(out.words.data(), facts[2], MPI_CHAR, 0, comm);
  if (facts[0] == 10) throw BusyError(out.words);
  if (facts[0] == 11) throw UsageError(out.words);
  out.kind = static_cast<Kind>(facts[0]);
  out.code = static_cast<ExitCode>(facts[1]);
  out.folder = line.out.value_or(RunFolder::default_for(line.spec));
  return out;
}

}  // namespace invar
