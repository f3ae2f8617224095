#include <iostream>

#include "apps/invar/batch/run_list.hpp"
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

/// The runs of a folder that are to run, by what their folders say.
std::vector<ListedRun> runs_left(const fs::path& folder, bool failed) {
  std::vector<ListedRun> runs = runs_in(folder);
  std::erase_if(runs, [failed](const ListedRun& run) {
    const RunState::Kind kind = RunState::of(run.folder).kind;
    return failed ? kind != RunState::Kind::failed : kind == RunState::Kind::done || kind == RunState::Kind::failed;
  });
  return runs;
}

/// An array for the runs of a sweep, or of several specs.
ExitCode of_runs(const CommandLine& line, const fs::path& folder) {
  const bool failed = line.rerun == "failed", of_sweep = Sweep::is_one(folder);
  const std::vector<ListedRun> runs = runs_left(folder, failed);
  if (runs.empty()) return nothing_left(failed ? "no run of '" + folder.string() + "' has failed" : "no run of '" + folder.string() + "' is left");
  SlurmScript script = script_for(line, folder);
  const auto of_a_sweep = [&](const fs::path& sweep) {
    std::vector<std::string> words = {"run", whole_path(sweep), "-q"};
    if (failed) words.insert(words.end(), {"--rerun", "failed"});
    return words;
  };
  for (const ListedRun& run : runs) {
    script.tasks.push_back(of_sweep ? run.point.index : static_cast<int>(script.tasks.size()) + 1);
    if (of_sweep) continue;
    std::vector<std::string>& words = script.arguments.emplace_back();
    if (run.sweep.empty()) {
      words = {"resume", whole_path(run.folder), "-q"};
    } else {
      words = of_a_sweep(run.sweep);
      words.insert(words.end(), {"--task", std::to_string(run.point.index)});
    }
  }
  if (of_sweep)
    for (std::string& word : of_a_sweep(folder)) script.command.push_back(std::move(word));
  std::error_code code;
  fs::create_directories(folder / "slurm", code);
  if (code) throw IoError("cannot make '" + (folder / "slurm").string() + "': " + code.message());
  script.output = sbatch_pattern(whole_path(folder / "slurm")) + "/%A_%a.txt";
  write_script(script, folder / "slurm.sh", line);
  if (of_sweep && line.verbosity >= 0 && Sweep::read(folder).together > 1)
    std::cout << "each run is a task of its own: 'sweep.together' is for 'invar sweep', and for 'invar run SWEEPDIR --task N,M'\n";
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
  if (Sweep::is_one(line.spec) || !holds_run(line.spec)) {
    if (!line.petsc_options.empty()) throw UsageError("'slurm' of a folder of runs takes no options of PETSc: they are part of each run");
    return of_runs(line, line.spec);
  }
  const RunState state = RunState::of(line.spec);
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
    begin_sweep(folder, sweep);
    return of_runs(line, folder);
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
