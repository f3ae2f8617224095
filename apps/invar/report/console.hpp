#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/invar/report/file_descriptor.hpp"

namespace invar {

/// How much the terminal shows. The log keeps everything up to `normal` at least.
enum class Verbosity { quiet = -1, normal = 0, verbose = 1, debug = 2 };

/// Console output: plain lines, to the terminal and to log.txt. Only one rank has an active console.
class Console {
 public:
  struct Column {
    std::string title;
    int width = 12;
    int digits = 5;  // significant, of real numbers
  };
  using Cell = std::variant<std::monostate, long long, double, std::string>;  // monostate: blank

  /// `terminal` must outlive this; nullptr keeps silent, as on the other ranks.
  Console(std::ostream* terminal, Verbosity verbosity);

  /// From here on lines go to this file too, those said so far included; with `append` behind what it
  /// holds. Throws IoError.
  void open_log(const std::filesystem::path& file, bool append = false);

  /// "invar 0.1.0: calibration of a rubber" and a rule.
  void banner(std::string_view version, std::string_view title);
  /// One line of the problem summary, "  unknowns      12 345".
  void summary(std::string_view name, std::string_view value);
  void line(std::string_view text, Verbosity from = Verbosity::normal);
  void warning(std::string_view text);
  /// Progress, on a line that the next output replaces; without a terminal a line per minute. Never in the log, and not with `quiet`.
  void progress(std::string_view text);
  /// Prefix of `progress`, such as the iteration of a search, until it is replaced.
  void underway(std::string text) { underway_ = std::move(text); }
  /// Begins a table; its header comes with the first row, and again every 40 rows.
  void table(std::vector<Column> columns);
  void row(const std::vector<Cell>& cells);
  /// The final message on the outcome. Shown at every verbosity.
  void closing(std::string_view reason);

 private:
  void header();

  std::ostream* terminal_;
  Verbosity verbosity_;
  std::optional<FileDescriptor> log_;
  std::string before_log_;
  std::vector<Column> columns_;
  int rows_ = 0;
  std::string underway_;
  bool shows_progress_ = false;             // on the terminal's last line
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  // of any line, or of progress
};

/// The columns of an optimisation: iteration, objective, violation, gradient, step, evaluations,
/// seconds.
std::vector<Console::Column> iteration_columns();

/// "1234567" -> "1 234 567".
std::string grouped(long long value);
/// 75.3 -> "1 min 15 s", 0.0123 -> "12.3 ms".
std::string duration_text(double seconds);

}  // namespace invar
