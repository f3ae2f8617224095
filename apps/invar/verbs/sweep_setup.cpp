#include "apps/invar/verbs/sweep_setup.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "apps/invar/batch/child_process.hpp"
#include "apps/invar/batch/over_option.hpp"
#include "apps/invar/batch/sweep_plan.hpp"
#include "apps/invar/batch/together.hpp"
#include "apps/invar/problem/input_files.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_lock.hpp"
#include "apps/invar/spec/override.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/spec/validate.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

std::string point_name(std::size_t index) {
  char text[24];
  std::snprintf(text, sizeof text, "%04zu", index);
  return text;
}

/// Checks that existing runs belong to this sweep; otherwise a changed point would count as done.
void require_same_points(const fs::path& folder, const Sweep& now) {
  const Sweep before = Sweep::read(folder);
  const std::string remedy = "; choose another --out, or repeat all runs with --rerun all";
  std::set<std::string> names;
  for (const Sweep::Point& p : now.points) names.insert(p.name);
  for (const Sweep::Point& p : before.points) {
    if (!fs::exists(Sweep::run_of(folder, p))) continue;
    if (!names.contains(p.name)) throw UsageError("'" + folder.string() + "' holds run " + p.name + ", which this sweep does not have" + remedy);
    const Sweep::Point& other = now.points[static_cast<std::size_t>(p.index) - 1];
    if (before.sets != now.sets) throw UsageError("'" + folder.string() + "' contains runs with other --set" + remedy);
    if (other.set != p.set)
      throw UsageError("'" + folder.string() + "' holds run " + p.name + " with other values: " + p.set.dump() + "; now they are " +
                       other.set.dump() + remedy);
  }
}

}  // namespace

Sweep planned_sweep(const CommandLine& line) {
  Diagnostics diagnostics;
  const spec::Table table = spec_table();
  std::optional<spec::Node> root = spec::parse_file(line.spec, diagnostics);
  if (!root) diagnostics.throw_if_any();
  apply_over(*root, line.overs, diagnostics);
  const spec::Value base = spec::read_spec(*root, line.spec, line.sets, table, diagnostics);
  diagnostics.throw_if_any();
  if (!base.has("sweep"))
    throw SpecError(line.spec.string() + ": error: there is no section 'sweep'; write one, or give --over PATH=A,B,C\n", {});
  const SweepPlan plan = plan_sweep(base, diagnostics);
  if (base["sweep"]["together"].integer() > 1) check_together(base, plan, diagnostics);
  diagnostics.throw_if_any();
  std::vector<spec::Assignment> common;
  for (const std::string& set : line.sets)
    if (auto a = spec::read_assignment(set, diagnostics)) common.push_back(std::move(*a));
  Sweep out;
  for (const SweepPlan::Point& point : plan.points) {
    std::vector<spec::Assignment> assignments = common;
    std::ranges::move(assignments_of(point, diagnostics), std::back_inserter(assignments));
    require_existing_files(spec::read_spec(*root, line.spec, assignments, table, diagnostics), diagnostics);
    const std::size_t index = out.points.size() + 1;
    out.points.push_back({static_cast<int>(index), point_name(index)});
    for (const SweepPlan::Setting& s : point) out.points.back().set[s.path] = s.value;
  }
  diagnostics.throw_if_any();
  const spec::Value& section = base["sweep"];
  out.spec = line.spec.string();
  out.directory = fs::current_path().string();
  out.version = INVAR_VERSION;
  out.sets = line.sets;
  out.petsc_options = line.petsc_options;
  out.design = section["design"].text();
  out.seed = static_cast<unsigned long long>(section["seed"].integer());
  out.inputs = plan.inputs;
  out.report = section["report"].texts();
  if (const spec::Value* pareto = section.find("pareto"))
    for (const spec::Value& v : *pareto) out.pareto[v.key] = v.text();
  out.together = static_cast<int>(section["together"].integer());
  out.compares_models = section["compare_models"].boolean();
  out.command = {"sweep", out.spec};
  for (const std::string& o : line.overs) out.command.insert(out.command.end(), {"--over", o});
  for (const std::string& s : line.sets) out.command.insert(out.command.end(), {"--set", s});
  return out;
}

fs::path sweep_folder(const CommandLine& line) {
  if (line.out) return *line.out;
  fs::path folder = RunFolder::default_for(line.spec);
  folder += "_sweep";
  return folder;
}

void prepare_sweep(const fs::path& folder, const Sweep& sweep, bool anew) {
  std::error_code code;
  if (!Sweep::is_one(folder) && !std::ranges::all_of(entries_of(folder), RunLock::is_part))
    throw IoError("'" + folder.string() + "' holds files that are not those of a sweep; choose another --out");
  if (Sweep::is_one(folder) && !anew) require_same_points(folder, sweep);
  fs::create_directories(folder, code);
  if (code) throw IoError("cannot make '" + folder.string() + "': " + code.message());
}

void begin_sweep(const fs::path& folder, const Sweep& sweep) {
  sweep.write(folder);
  if (fs::exists(folder / "runs")) return;
  std::vector<std::string> arguments = {"validate", sweep.spec, "-q", "--set", "sweep=null"};  // of one run
  for (const std::string& s : sweep.sets) arguments.insert(arguments.end(), {"--set", s});
  for (const auto& [path, value] : sweep.points[0].set.items()) arguments.insert(arguments.end(), {"--set", path + '=' + value.dump()});
  const fs::path complaints = folder / "complaints.txt";
  int status = 0;
  const pid_t child = start_child(arguments, complaints);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  std::stringstream text;
  text << std::ifstream(complaints).rdbuf();
  std::error_code ignored;
  fs::remove(complaints, ignored);
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitCode::input)) throw SpecError(text.str(), {});
}

}  // namespace invar
