#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/spec/command_line.hpp"
#include "apps/invar/verbs/interruption.hpp"

namespace invar {

/// A run: its problem, folder, console, log and clock. All ranks compute; rank 0 alone prints and writes.
class Session {
 public:
  /// Builds the problem: of the spec `line.spec`, or of the run in the folder of that name when it is
  /// resumed, which is locked first. Nothing is written yet. Throws SpecError, and IoError where there is no run to
  /// resume.
  Session(const CommandLine& line, bool resumed);

  const CommandLine& line() const { return line_; }
  Problem& problem() { return problem_; }
  Console& console() { return console_; }
  /// nullptr on other ranks than 0.
  RunFolder* folder() { return folder_ ? &*folder_ : nullptr; }
  /// The run folder, on every rank.
  const std::filesystem::path& path() const { return out_; }
  bool resumed() const { return resumed_; }
  /// Of the whole run, from before its problem is built.
  const Interruption& interruption() const { return interruption_; }
  /// Whether any rank has been interrupted. Collective.
  bool interrupted() const;
  /// Whether a solve was aborted for it. Collective.
  bool cut_short() const;
  /// The same if possibly not all ranks call it, because only this one failed: false then, after some seconds.
  bool cut_short_for_all() const;
  /// The folder is free again; nothing may be written any more.
  void leave() { folder_.reset(); }
  /// Of wall clock since the beginning, without pauses of a run that was resumed.
  double seconds() const;

  /// Makes the folder, or opens that of the run resumed, and introduces the run.
  void open();
  /// Before `open`: the process works on so many runs at once.
  void note_together(int runs) { record_.together = runs; }
  /// run.json says how it ended.
  void record(ExitCode code, const std::string& reason);
  /// The last words; returns `code`.
  ExitCode finish(ExitCode code, const std::string& closing);

 private:
  void introduce();
  void lock_folder(const std::vector<std::filesystem::path>& inputs);
  RunRecord earlier_record();
  void warn_of_unused_options();

  CommandLine line_;
  bool resumed_;
  std::filesystem::path out_;
  Interruption interruption_;
  std::optional<RunFolder> folder_;
  RunRecord record_;
  Problem problem_;
  Console console_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double earlier_ = 0;  // seconds before the run was resumed
};

}  // namespace invar
