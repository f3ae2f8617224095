#include "apps/invar/batch/sweep_driver.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <set>
#include <sstream>

#include "apps/invar/batch/child_process.hpp"
#include "apps/invar/batch/together.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/report/run_lock.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double patience = 20;  // seconds of waiting for runs of other processes after the last own run

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Blocks SIGCHLD while it lives; `wait` fetches the signal.
class ChildSignals {
 public:
  ChildSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~ChildSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;
  /// Returns when a child has ended, another signal has come, or after a quarter of a second.
  void wait() const {
    const timespec quarter{0, 250'000'000};
    sigtimedwait(&set_, nullptr, &quarter);
  }

 private:
  sigset_t set_{}, before_{};
};

class Driver {
 public:
  Driver(const fs::path& folder, const Sweep& sweep, const SweepOrder& order)
      : folder_(folder), sweep_(sweep), order_(order), display_(sweep.points.size(), order.quiet) {
    fs::create_directories(folder / "runs");
    fs::create_directories(folder / "complaints");
  }

  SweepOutcome drive() {
    const Clock::time_point begin = Clock::now();
    for (std::size_t i = 0; i < sweep_.points.size(); ++i) {
      out_.states.push_back(RunState::of(Sweep::run_of(folder_, sweep_.points[i])));
      take_in(i);
    }
    if (settled_ > 0) display_.line("  " + std::to_string(settled_) + " of " + std::to_string(sweep_.points.size()) + " runs had already ended");
    const ChildSignals signals;
    double waited = 0;
    Clock::time_point idle = begin;
    for (;;) {
      look_elsewhere();
      if (order_.stops && order_.stops()) stop();
      while (!queue_.empty() && static_cast<int>(running_.size()) < order_.jobs) start();
      if (!running_.empty()) idle = Clock::now();
      if (running_.empty() && (elsewhere_.empty() || out_.stopped || seconds_since(idle) > patience)) break;
      show();
      const Clock::time_point before = Clock::now();
      signals.wait();
      waited += seconds_since(before);
      reap();
    }
    display_.clear();
    std::error_code none;
    fs::remove(folder_ / "complaints", none);  // if it is empty
    out_.own_seconds = seconds_since(begin) - waited;
    return std::move(out_);
  }

 private:
  struct Child {
    pid_t pid;
    std::vector<std::size_t> points;  // several: together
    Clock::time_point begin;
  };

  bool is_wanted(RunState::Kind kind) const {
    if (order_.rerun == Rerun::all) return true;
    return kind == RunState::Kind::failed ? order_.rerun == Rerun::failed : kind != RunState::Kind::done;
  }

  /// Decides from its folder whether a point that is not running here has to be run.
  void take_in(std::size_t i) {
    const RunState::Kind kind = out_.states[i].kind;
    if (kind == RunState::Kind::running) elsewhere_.push_back(i);
    else if (is_wanted(kind)) queue_.push_back(i);
    else ++settled_;
  }

  /// Checks runs of other processes (jobs of a batch system, an earlier driver) that may have ended.
  void look_elsewhere() {
    for (const std::size_t i : std::exchange(elsewhere_, {})) {
      out_.states[i] = RunState::of(Sweep::run_of(folder_, sweep_.points[i]));
      take_in(i);
    }
  }

  fs::path complaints_of(std::size_t i) const { return folder_ / "complaints" / (sweep_.points[i].name + ".txt"); }

  /// Whether a point has a run that can be continued.
  bool goes_on(std::size_t i) const {
    return out_.states[i].kind == RunState::Kind::waiting && order_.rerun != Rerun::all && fs::exists(Sweep::run_of(folder_, sweep_.points[i]) / "resolved.yaml");
  }

  /// Starts the next run, or the next ones that begin and go together.
  void start() {
    std::vector<std::size_t> begins;
    while (!queue_.empty() && static_cast<int>(begins.size()) < sweep_.together) {
      const std::size_t i = queue_.front();
      const bool single = goes_on(i) || alone_.contains(i);
      if (single && !begins.empty()) break;
      queue_.pop_front();
      const Sweep::Point& point = sweep_.points[i];
      if (goes_on(i)) return launch(sweep_.resume_arguments(folder_, point), {i});
      if (!clear(Sweep::run_of(folder_, point))) {
        elsewhere_.push_back(i);
        continue;
      }
      if (single) return launch(sweep_.run_arguments(folder_, point), {i});
      begins.push_back(i);
    }
    if (begins.empty()) return;
    if (begins.size() == 1) return launch(sweep_.run_arguments(folder_, sweep_.points[begins[0]]), begins);
    std::vector<const Sweep::Point*> group;
    for (const std::size_t i : begins) group.push_back(&sweep_.points[i]);
    launch(Sweep::group_arguments(folder_, group), std::move(begins));
  }

  void launch(const std::vector<std::string>& arguments, std::vector<std::size_t> points) {
    for (const std::size_t i : points) {
      out_.states[i].kind = RunState::Kind::running;
      ++out_.ran;
    }
    running_.push_back({start_child(arguments, complaints_of(points.front())), std::move(points), Clock::now()});
  }

  /// Empties a run's folder, so that its records are those of the new run; false if another process uses it.
  static bool clear(const fs::path& run) {
    if (!fs::exists(run)) return true;
    try {
      const RunLock own(run);
      for (const fs::path& f : entries_of(run))
        if (!RunLock::is_part(f)) fs::remove_all(f);
      return true;
    } catch (const BusyError&) {
      return false;
    }
  }

  /// No further run begins; running ones receive one request to stop.
  void stop() {
    queue_.clear();
    if (out_.stopped) return;
    out_.stopped = true;
    for (const Child& child : running_) ::kill(child.pid, SIGTERM);
    display_.line("  interrupted: " + std::to_string(running_.size()) + " runs are writing checkpoints before they end");
  }

  void reap() {
    int status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto child = std::ranges::find(running_, pid, &Child::pid);
      if (child == running_.end()) continue;
      if (child->points.size() == 1) settle(child->points[0], child->begin, status);
      else settle_group(*child, status);
      running_.erase(child);
    }
  }

  /// Runs that went together have their own records. What has none, because it could not begin or the process ended suddenly, is run alone.
  void settle_group(const Child& child, int status) {
    const bool stopped = out_.stopped || (WIFSIGNALED(status) && ended_from_outside(WTERMSIG(status)));
    if (const std::string said = first_line(complaint(child.points[0])); said.starts_with(together_note) && told_.insert(said).second)
      display_.line("  " + said);
    std::error_code none;
    fs::remove(complaints_of(child.points[0]), none);
    for (const std::size_t i : child.points) {
      const fs::path run = Sweep::run_of(folder_, sweep_.points[i]);
      RunState& state = out_.states[i] = RunState::of(run);
      if (state.kind == RunState::Kind::running) {
        elsewhere_.push_back(i);
      } else if ((state.kind == RunState::Kind::waiting || state.kind == RunState::Kind::never_started) && !stopped) {
        alone_.insert(i);
        queue_.push_back(i);
      } else {
        if (state.kind == RunState::Kind::done || state.kind == RunState::Kind::failed) ++settled_;
        display_.ended(sweep_.points[i], state, objective(run), settled_);
      }
    }
  }

  static bool ended_from_outside(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGUSR1; }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  /// The run's own record has priority; if it has none of its end, the driver writes one.
  void settle(std::size_t i, Clock::time_point begin, int status) {
    const Sweep::Point& point = sweep_.points[i];
    const fs::path run = Sweep::run_of(folder_, point);
    if (RunLock::look(run).kind == RunLock::State::Kind::live) {  // another process was faster
      elsewhere_.push_back(i);
      out_.states[i].kind = RunState::Kind::running;
      return;
    }
    const bool killed = WIFSIGNALED(status);
    const int signal = killed ? WTERMSIG(status) : 0;
    const bool from_outside = ended_from_outside(signal);
    const ExitCode code = !killed ? static_cast<ExitCode>(WEXITSTATUS(status)) : from_outside ? ExitCode::interrupted : ExitCode::bug;
    RunRecord record;
    bool has_begun = false;
    try {
      record = RunFolder::record_in(run);
      has_begun = true;
    } catch (const std::exception&) {  // missing or damaged: a new one is written
    }
    if (!(killed && from_outside && !has_begun) && (!has_begun || record.exit_code != code)) {
      record.version = sweep_.version;
      record.spec = sweep_.spec;
      record.exit_code = code;
      record.finished = RunRecord::now();
      if (record.started.empty()) record.started = record.finished;
      record.seconds = std::max(record.seconds, seconds_since(begin));
      record.reason = killed ? "killed by signal " + std::to_string(signal) : complaint(i);
      fs::create_directories(run);
      write_atomically(run / "run.json", record.json().dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
    }
    std::error_code none;
    if (fs::is_empty(complaints_of(i), none)) fs::remove(complaints_of(i), none);
    RunState& state = out_.states[i] = RunState::of(run);
    if (state.kind != RunState::Kind::waiting) ++settled_;
    display_.ended(point, state, objective(run), settled_);
  }

  std::string complaint(std::size_t i) const {
    std::stringstream text;
    text << std::ifstream(complaints_of(i)).rdbuf();
    return text.str();
  }

  static std::string objective(const fs::path& run) {
    std::ifstream in(run / "results.json");
    const nlohmann::json results = nlohmann::json::parse(in, nullptr, false);
    return results.is_object() && results.contains("objective") && results["objective"].is_number() ? number_text(results["objective"].get<double>()) : "";
  }

  void show() {
    std::map<RunState::Kind, int> counts;
    for (const RunState& s : out_.states) ++counts[s.kind];
    std::vector<std::string> lines;
    for (const Child& c : running_) {
      const std::string& first = sweep_.points[c.points.front()].name;
      const std::string last = c.points.size() > 1 ? " … " + sweep_.points[c.points.back()].name : "";
      lines.push_back(first + last + "  " + duration_text(seconds_since(c.begin)));
    }
    display_.show(counts, lines);
  }

  const fs::path& folder_;
  const Sweep& sweep_;
  const SweepOrder& order_;
  SweepDisplay display_;
  SweepOutcome out_;
  std::deque<std::size_t> queue_;
  std::vector<Child> running_;
  std::vector<std::size_t> elsewhere_;  // points whose runs others have started
  std::set<std::size_t> alone_;         // points that are not run together
  std::set<std::string> told_;
  std::size_t settled_ = 0;
};

}  // namespace

SweepOutcome drive(const fs::path& folder, const Sweep& sweep, const SweepOrder& order) { return Driver(folder, sweep, order).drive(); }

}  // namespace invar
