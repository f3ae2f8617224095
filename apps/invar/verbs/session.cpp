#include "apps/invar/verbs/session.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "apps/invar/page/run_page.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/input_files.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/report/checksum.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/first_rank.hpp"
#include "apps/invar/verbs/version.hpp"
#include "libadjoint/solve/cudss_library.hpp"
#include "libadjoint/solve/nvidia_driver.hpp"
#include "libadjoint/solve/sync_point.hpp"
#include "libfem/device/device.hpp"
#include "libfem/device/device_solver.hpp"

namespace invar {
namespace {

bool first_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

/// The spec of a run in a folder.
std::filesystem::path spec_in(const std::filesystem::path& folder) {
  const std::filesystem::path spec = folder / "resolved.yaml";
  if (!std::filesystem::exists(spec))
    throw IoError("'" + folder.string() + "' has no resolved.yaml: the run has not begun; use 'invar run'");
  return spec;
}

/// The comments that a file of data begins with, letters of ASCII alone; empty for other files.
std::string about_data(const std::filesystem::path& file) {
  constexpr std::size_t most = 600;
  std::string about;
  if (file.extension() != ".csv") return about;
  std::ifstream in(file);
  for (std::string line; about.size() < most && std::getline(in, line) && line.starts_with('#');) {
    for (char& c : line)
      if (c < ' ' || c > '~') c = c == '\r' || c == '\t' ? ' ' : '?';
    const std::size_t begin = line.find_first_not_of("# ");
    if (begin != std::string::npos) about += (about.empty() ? "" : " ") + line.substr(begin, line.find_last_not_of(' ') + 1 - begin);
  }
  return about.substr(0, most);
}

/// Equations of each case, their sources, and the field that deforms its pictures: what a report needs of the physics.
nlohmann::ordered_json physics_json(const Problem& problem) {
  nlohmann::ordered_json all;
  const spec::Value* cases = problem.spec.find("cases");
  for (const CaseModel& c : problem.cases) {
    const Physics& physics = physics_of(c.physics_word);
    const CaseSections sections{c.name, &problem.spec, cases ? cases->find(c.name.c_str()) : nullptr};
    nlohmann::ordered_json& of_case = all[c.name];
    of_case["type"] = c.physics_word;
    of_case["methods"] = physics.methods ? physics.methods(sections) : "The equations of the physics '" + c.physics_word + "' were discretised by finite elements";
    of_case["sources"] = nlohmann::ordered_json::object();
    for (const CitedMethod& m : physics.sources) of_case["sources"][m.method] = m.keys;
    of_case["deformation"] = c.physics->deformation();
  }
  return all;
}

/// That evaluates equations of the cases; null: the processor does.
const Device* device_of(const Problem& problem) {
  for (const CaseModel& c : problem.cases)
    if (c.device) return c.device.get();
  return nullptr;
}

/// What `auto` does with linear systems of a case on a device; nothing elsewhere.
DeviceSolver device_solver_of(const CaseModel& c, const spec::Value& spec) {
  if (!c.device || spec["solver"]["linear"].text() != "auto") return {};
  return device_solver(*c.residual, *c.device, c.ties || c.path || c.trim);
}

constexpr const char* solvers_begin = "; linear systems by ";

/// "; linear systems by cudss_ldlt: symmetric, …", each method of `auto` on the device once.
std::string solvers_there(const Problem& problem) {
  std::set<std::string> all;
  for (const CaseModel& c : problem.cases)
    if (const DeviceSolver s = device_solver_of(c, problem.spec); !s.method.empty()) all.insert(solvers_begin + s.method + ": " + s.reason);
  std::string text;
  for (const std::string& s : all) text += s;
  return text;
}

/// Adds the versions of what is not linked and only found at run time: cuDSS once a solver uses it, and the driver where either runs on a GPU.
void add_versions_on_device(std::map<std::string, std::string>& libraries, const Device* device) {
  const std::string& cudss = CudssLibrary::version_used();
  if (!cudss.empty()) libraries["cuDSS"] = cudss;
  if (cudss.empty() && !(device && device->kind() == Device::Kind::cuda)) return;
  if (const std::string driver = nvidia_driver(); !driver.empty()) libraries["NVIDIA driver"] = driver;
}

/// Number of kernels, bytes copied and vectors that the host read or wrote, as text.
std::string work_of(const Device& device) {
  const DeviceTraffic& t = device.traffic();
  const auto side = [](long long count, long long bytes) { return grouped(count) + " (" + grouped(bytes / 1000) + " kB)"; };
  return "      device: " + grouped(t.kernels) + " kernels, copies to it " + side(t.uploads, t.bytes_up) + ", from it " + side(t.downloads, t.bytes_down) +
         ", " + grouped(device.host_accesses()) + " accesses of the host to its vectors";
}

/// What is said of a run that goes on elsewhere; empty: the processor.
std::string moved_from(const std::string& before, const std::string& now) {
  const auto named = [](const std::string& device) { return device.empty() ? "the processor" : device; };
  return "the run began on " + named(before) + ", and this is " + named(now) + ": the last digits differ";
}

/// How many design variables there are, and the designed numbers, not all of many.
std::string design_summary(const CaseFunctional& functional) {
  const std::vector<std::string> names = functional.names();
  constexpr std::size_t most = 8;
  std::string text = design_size(functional).text();
  for (std::size_t k = 0; k < names.size() && (names.size() <= most || k < 3); ++k) text += (k ? ", " : ": ") + names[k];
  if (names.size() > most) text += ", …";
  return text;
}

}  // namespace

Session::Session(const CommandLine& line, bool resumed)
    : line_(line), resumed_(resumed), out_(resumed ? line.spec : line.out.value_or(RunFolder::default_for(line.spec))),
      interruption_(time_limit(line.time).value_or(std::numeric_limits<double>::infinity())), record_(earlier_record()),
      problem_(build_problem(resumed ? spec_in(out_) : line.spec, line.sets, PETSC_COMM_WORLD)),
      console_(first_rank() ? &std::cout : nullptr, static_cast<Verbosity>(line.verbosity)) {}

/// Of the run that is resumed, whose folder is then this process's.
RunRecord Session::earlier_record() {
  if (!resumed_) return {};
  lock_folder({});
  return RunFolder::record_in(out_);
}

/// On rank 0. All ranks throw what it throws.
void Session::lock_folder(const std::vector<std::filesystem::path>& inputs) {
  from_first_rank(PETSC_COMM_WORLD, [&] {
    const auto on_loss = [this] { interruption_.ask(); };
    if (resumed_) folder_.emplace(RunFolder::Existing{out_}, on_loss);
    else folder_.emplace(out_, inputs, on_loss);
    return std::string();
  });
}

bool Session::interrupted() const {
  int asked = interruption_.asked();
  MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return asked != 0;
}

bool Session::cut_short() const {
  int cut = interruption_.has_cut();
  MPI_Allreduce(MPI_IN_PLACE, &cut, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return cut != 0;
}

bool Session::cut_short_for_all() const {
  return largest_at(PETSC_COMM_WORLD, SyncPoint::failure, interruption_.has_cut(), patience_after_failure).value_or(0) != 0;
}

double Session::seconds() const {
  return earlier_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Session::open() {
  earlier_ = record_.seconds;
  record_.version = INVAR_VERSION;
  record_.libraries = library_versions();
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) record_.host = host;
  record_.processor = RunRecord::this_processor();
  for (const std::string& s : line_.sets) record_.command.push_back("--set " + s);
  if (!line_.petsc_options.empty() && !resumed_) {
    record_.command.push_back("--");
    record_.command.insert(record_.command.end(), line_.petsc_options.begin(), line_.petsc_options.end());
  }
  MPI_Comm_size(PETSC_COMM_WORLD, &record_.ranks);
  const Device* const device = device_of(problem_);
  const std::string now = device ? device->description() : "", solvers = device ? solvers_there(problem_) : "";
  const std::string before = std::exchange(record_.device, now + solvers);
  if (const std::string there = before.substr(0, before.find(solvers_begin)); resumed_ && there != now) problem_.notes.push_back(moved_from(there, now));
  add_versions_on_device(record_.libraries, device);
  for (const CaseModel& c : problem_.cases)
    if (const auto& o = c.origin)
      record_.starts[c.name] = {{"file", o->file}, {"interpolated", o->interpolated}, {"nodes", o->nodes}, {"outside", o->outside}, {"farthest", o->farthest}};
  record_.physics = physics_json(problem_);
  record_.seed = static_cast<unsigned long long>(problem_.spec["optimizer"]["seed"].integer());
  if (resumed_) {
    record_.resumed.push_back(RunRecord::now());
    record_.finished.clear();
    record_.exit_code.reset();
    record_.reason.clear();
  } else {
    record_.spec = line_.spec.string();
    record_.started = RunRecord::now();
    std::error_code none;
    record_.folder = std::filesystem::current_path(none).string();
  }
  if (!resumed_) {
    std::vector<std::filesystem::path> inputs = input_files(problem_.spec);
    inputs.insert(inputs.begin(), line_.spec);
    if (first_rank())
      for (const std::filesystem::path& file : inputs)
        if (const std::optional<FileSum> sum = sum_of(file)) record_.inputs.push_back({file.string(), sum->bytes, sum->crc32, about_data(file)});
    lock_folder(inputs);
  }
  if (first_rank()) {
    folder_->write_json("run.json", record_.json());
    if (!resumed_) {
      std::ifstream input(line_.spec);
      std::stringstream text;
      text << input.rdbuf();
      folder_->write("input.yaml", text.str());
    }
    folder_->write("resolved.yaml", problem_.spec.yaml());
    console_.open_log(folder_->file("log.txt"), resumed_);
  }
  introduce();
}

void Session::introduce() {
  console_.banner(INVAR_VERSION, problem_.title);
  for (const CaseModel& c : problem_.cases) {
    const int steps = c.march ? c.last_step() : c.last_step() + 1;  // the first of a march's times is its start
    console_.summary("case " + c.name, grouped(c.dofs->n_global()) + " unknowns, " + std::to_string(steps) + (c.march ? " time step" : " load step") +
                                           (steps == 1 ? ", " : "s, ") + std::to_string(c.process->residual_count()) + " data");
  }
  if (problem_.functional->has_design()) console_.summary("design", design_summary(*problem_.functional));
  console_.summary("processes", std::to_string(record_.ranks));
  if (record_.together > 1) console_.summary("together", "equilibria and adjoints with those of " + grouped(record_.together - 1) + (record_.together == 2 ? " other run" : " other runs"));
  if (!record_.device.empty()) console_.summary("device", record_.device);
  for (const CaseModel& c : problem_.cases)
    if (c.origin) console_.summary("start" + (problem_.cases.size() > 1 ? " of " + c.name : std::string()), words_of(*c.origin));
  for (const CaseModel& c : problem_.cases)
    if (!c.why_no_device.empty()) console_.line("      case " + c.name + ": no device is used: " + c.why_no_device, Verbosity::verbose);
  for (const CaseModel& c : problem_.cases)
    if (const DeviceSolver s = device_solver_of(c, problem_.spec); !s.reason.empty())
      console_.line("      case " + c.name + ": linear systems are solved on the " + (s.method.empty() ? "processor" : "device by " + s.method) + ": " + s.reason, Verbosity::verbose);
  for (const std::string& note : problem_.notes) console_.warning(note);
}

void Session::record(ExitCode code, const std::string& reason) {
  add_versions_on_device(record_.libraries, device_of(problem_));  // solvers load cuDSS when they begin
  record_.finished = RunRecord::now();
  record_.seconds = seconds();
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) record_.peak_memory = std::max(record_.peak_memory, 1024LL * used.ru_maxrss);
  record_.exit_code = code;
  record_.reason = reason;
  if (folder_) folder_->write_json("run.json", record_.json());
}

/// Warns of unused PETSc options; use of options of the program's solvers is unknown.
void Session::warn_of_unused_options() {
  PetscInt n = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &n, &names, &values));
  for (PetscInt i = 0; i < n; ++i)
    if (!std::string(names[i]).starts_with("invar_"))
      console_.line("warning: PETSc option -" + std::string(names[i]) + " was not used; options of solvers begin with -invar_",
                    Verbosity::quiet);
  check(PetscOptionsLeftRestore(nullptr, &n, &names, &values));
}

ExitCode Session::finish(ExitCode code, const std::string& closing) {
  warn_of_unused_options();
  record(code, closing);
  if (const Device* device = device_of(problem_)) {
    console_.line(work_of(*device), Verbosity::verbose);
    if (const long long beyond = device->traffic().most_on_host; beyond > 0) {
      const bool stores_states = std::ranges::any_of(problem_.cases, [](const CaseModel& c) { return c.march.has_value(); });
      console_.warning("the device's memory ended: up to " + grouped((beyond + 999'999) / 1'000'000) + " MB lay in memory of the host, which is slow there; " +
                       (stores_states ? "limit 'time.device_memory', or " : "") + "use 'device: none'");
    }
  }
  const bool reports = problem_.spec["output"]["report"].boolean();
  if (folder_) console_.line("  written to " + folder_->path().string() + (reports ? "" : "; 'invar report " + out_.string() + "' writes a report page"));
  if (folder_ && reports) {
    folder_->write("report.html", run_page(folder_->path()));
    folder_->write("citations.bib", run_citations(folder_->path()));
    console_.line("  report: " + folder_->file("report.html").string());
  }
  console_.closing(closing + " (" + duration_text(seconds()) + ")");
  return code;
}

}  // namespace invar
