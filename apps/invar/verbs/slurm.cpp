#include <iostream>

#include "apps/invar/batch/slurm_script.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/spec/validate.hpp"
#include "apps/invar/verbs/sweep_setup.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

std::string whole_path(const fs::path& path) {
  const std::string text = fs::absolute(path).lexically_normal().string();
  if (text.find('\n') != std::string::npos) throw IoError("'" + text + "' has a line break in its name, which Slurm scripts do not support");
  return text;
}

/// A path in a pattern of sbatch, in which % begins a placeholder.
std::string sbatch_pattern(const std::string& path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

SlurmScript script_for(const CommandLine& line, const fs::path& of) {
  std::error_code code;
  SlurmScript out;
  out.about = "Written by invar " INVAR_VERSION " for '" + whole_path(of) + "'.";
  out.name = fs::path(whole_path(of)).stem().string();
  for (char& c : out.name)
    if (std::string_view(" \t\"'\\#%").find(c) != std::string_view::npos) c = '_';
  out.folder = whole_path(fs::current_path());
  out.command = {fs::read_symlink("/proc/self/exe", code).string()};
  out.ranks = line.ranks;
  out.time = line.time;
  out.most_at_once = line.jobs;
  return out;
}

void write_script(const SlurmScript& script, const fs::path& file, const CommandLine& line) {
  write_atomically(file, script.text());
  if (line.verbosity < 0) return;
  const std::size_t n = script.tasks.size();
  std::cout << "written: " << file.string();
  if (n > 0) std::cout << ", an array of " << n << (n == 1 ? " run" : " runs") << " (" << ranges_text(script.tasks) << ')';
  std::cout << "\nsubmit it:  sbatch " << file.string() << '\n';
  if (n > 0 && script.tasks.back() > 1000)
    std::cout << "many sites limit task numbers to 1000: see MaxArraySize in 'scontrol show config'\n";
}

ExitCode nothing_left(const std::string& what) {
  std::cout << what << '\n';
  return ExitCode::ok;
}

/// Runs of a sweep that are to run, by what their folders say.
std::vector<int> tasks_left(const fs::path& folder, const Sweep& sweep, bool failed_too) {
  std::vector<int> out;
  for (const Sweep::Point& p : sweep.points) {
    const RunState::Kind kind = RunState::of(Sweep::run_of(folder, p)).kind;
    if (kind == RunState::Kind::done || (kind == RunState::Kind::failed && !failed_too)) continue;
    if (failed_too && kind != RunState::Kind::failed) continue;
    out.push_back(p.index);
  }
  return out;
}

ExitCode of_sweep(const CommandLine& line, const fs::path& folder, const Sweep& sweep) {
  const bool failed = line.rerun == "failed";
  SlurmScript script = script_for(line, folder);
  script.tasks = tasks_left(folder, sweep, failed);
  if (script.tasks.empty()) return nothing_left(failed ? "no run of '" + folder.string() + "' has failed" : "no run of '" + folder.string() + "' is left");
  script.command.insert(script.command.end(), {"run", whole_path(folder), "-q"});
  if (failed) script.command.insert(script.command.end(), {"--rerun", "failed"});
  std::error_code code;
  fs::create_directories(folder / "slurm", code);
  if (code) throw IoError("cannot make '" + (folder / "slurm").string() + "': " + code.message());
  script.output = sbatch_pattern(whole_path(folder / "slurm")) + "/%A_%a.txt";
  write_script(script, folder / "slurm.sh", line);
  return ExitCode::ok;
}

/// Beside the run folder, in which nothing may be before the run begins.
ExitCode of_run(const CommandLine& line, const fs::path& folder, std::vector<std::string> command) {
  SlurmScript script = script_for(line, folder);
  script.command.insert(script.command.end(), command.begin(), command.end());
  script.petsc_options = line.petsc_options;
  const fs::path base = whole_path(folder);
  script.output = sbatch_pattern(base.string()) + ".slurm.txt";
  std::error_code code;
  fs::create_directories(base.parent_path(), code);
  if (code) throw IoError("cannot make '" + base.parent_path().string() + "': " + code.message());
  fs::path file = folder.has_filename() ? folder : folder.parent_path();
  write_script(script, file += ".slurm.sh", line);
  return ExitCode::ok;
}

ExitCode of_folder(const CommandLine& line) {
  if (!line.sets.empty() || !line.overs.empty() || line.out)
    throw UsageError("'slurm' of a folder takes no --set, --over or --out: the folder defines its runs");
  if (Sweep::is_one(line.spec)) {
    if (!line.petsc_options.empty()) throw UsageError("'slurm' of a sweep's folder takes no options of PETSc: they are part of the sweep");
    return of_sweep(line, line.spec, Sweep::read(line.spec));
  }
  const RunState state = RunState::of(line.spec);
  if (state.kind == RunState::Kind::never_started) throw IoError("'" + line.spec.string() + "' is neither the folder of a sweep nor of a run");
  if (state.kind == RunState::Kind::done) return nothing_left("the run in '" + line.spec.string() + "' has finished");
  return of_run(line, line.spec, {"resume", whole_path(line.spec), "-q"});
}

ExitCode of_spec(const CommandLine& line) {
  Diagnostics diagnostics;
  const spec::Value spec = spec::read_spec(line.spec, line.sets, spec_table(), diagnostics);
  diagnostics.throw_if_any();
  if (spec.has("sweep") || !line.overs.empty()) {
    const Sweep sweep = planned_sweep(line);
    const fs::path folder = sweep_folder(line);
    prepare_sweep(folder, sweep, false);
    const RunLock lock(folder);
    if (!Sweep::is_one(folder)) require_valid_first(folder, sweep);
    sweep.write(folder);
    return of_sweep(line, folder, sweep);
  }
  const fs::path folder = line.out.value_or(RunFolder::default_for(line.spec));
  std::vector<std::string> command = {"run", line.spec.string(), "-q", "--out", whole_path(folder), "--resume"};
  if (line.rerun == "failed") command.insert(command.end(), {"--rerun", "failed"});
  for (const std::string& s : line.sets) command.insert(command.end(), {"--set", s});
  return of_run(line, folder, std::move(command));
}

}  // namespace

/// Nothing is run, and no Slurm is needed.
ExitCode slurm(const CommandLine& line) {
  if (line.rerun == "all") throw UsageError("'slurm' does not repeat finished runs: choose another --out, or remove the folder");
  std::error_code none;
  return fs::is_directory(line.spec, none) ? of_folder(line) : of_spec(line);
}

}  // namespace invar
