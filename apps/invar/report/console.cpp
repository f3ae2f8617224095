#include "apps/invar/report/console.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace invar {
namespace {

constexpr int header_every = 40;

/// Characters, not bytes, so that columns stay aligned.
std::size_t width_of(std::string_view text) {
  std::size_t n = 0;
  for (char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

std::string right_aligned(std::string text, int width) {
  const std::size_t w = width_of(text), wanted = static_cast<std::size_t>(width);
  return w < wanted ? std::string(wanted - w, ' ') + text : text;
}

std::string formatted(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

std::string cell_text(const Console::Cell& cell, int digits) {
  if (const auto* integer = std::get_if<long long>(&cell)) return std::to_string(*integer);
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  if (const auto* real = std::get_if<double>(&cell)) {
    const double size = std::abs(*real);
    const bool plain = size == 0 || (size >= 1e-3 && size < 1e5);
    return formatted(plain ? "%#.*g" : "%.*e", plain ? digits : digits - 1, *real);
  }
  return {};
}

}  // namespace

Console::Console(std::ostream* terminal, Verbosity verbosity)
    : terminal_(terminal), verbosity_(verbosity) {}

void Console::open_log(const std::filesystem::path& file, bool append) {
  if (!terminal_) return;
  log_.emplace(file, O_WRONLY | O_CREAT | O_APPEND | (append ? 0 : O_TRUNC));
  log_->write(before_log_);
  before_log_.clear();
}

void Console::line(std::string_view text, Verbosity from) {
  if (!terminal_) return;
  const std::string whole = std::string(text) + '\n';
  if (from <= verbosity_) {
    *terminal_ << (shows_progress_ ? "\r\x1b[K" : "") << whole << std::flush;
    shows_progress_ = false;
    last_ = std::chrono::steady_clock::now();
  }
  if (from > verbosity_ && from > Verbosity::normal) return;
  if (log_) log_->write(whole);
  else before_log_ += whole;
}

void Console::banner(std::string_view version, std::string_view title) {
  const std::string head = "invar " + std::string(version) +
                           (title.empty() ? "" : ": " + std::string(title));
  line(head);
  line(std::string(width_of(head), '-'));
}

void Console::summary(std::string_view name, std::string_view value) {
  std::string head = "  " + std::string(name);
  if (const std::size_t w = width_of(head); w < 20) head.append(20 - w, ' ');
  line(head + ' ' + std::string(value));
}

void Console::progress(std::string_view text) {
  if (!terminal_ || verbosity_ < Verbosity::normal) return;
  const bool terminal = terminal_ == &std::cout && ::isatty(STDOUT_FILENO);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal ? std::chrono::milliseconds(shows_progress_ ? 250 : 2000) : std::chrono::milliseconds(60'000))) return;
  last_ = now;
  const std::string all = underway_ + (underway_.empty() || text.empty() ? "" : "; ") + std::string(text);
  if (terminal) *terminal_ << "\r\x1b[K  " << all << std::flush;
  else *terminal_ << "  " << all << '\n' << std::flush;
  shows_progress_ = terminal;
}

void Console::warning(std::string_view text) { line("warning: " + std::string(text)); }

void Console::table(std::vector<Column> columns) {
  columns_ = std::move(columns);
  rows_ = 0;
}

void Console::header() {
  std::string titles;
  for (const Column& column : columns_) titles += ' ' + right_aligned(column.title, column.width);
  line("");
  line(titles);
}

void Console::row(const std::vector<Cell>& cells) {
  if (rows_++ % header_every == 0) header();
  std::string out;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i)
    out += ' ' + right_aligned(cell_text(cells[i], columns_[i].digits), columns_[i].width);
  line(out);
}

void Console::closing(std::string_view reason) {
  line("");
  line(reason, Verbosity::quiet);
}

std::vector<Console::Column> iteration_columns() {
  return {{"iteration", 9, 0},  {"objective", 14, 8},  {"violation", 10, 3}, {"gradient", 10, 3},
          {"step", 10, 3},      {"evaluations", 11, 0}, {"seconds", 9, 4}};
}

std::string grouped(long long value) {
  std::string digits = std::to_string(std::llabs(value));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return value < 0 ? '-' + digits : digits;
}

std::string duration_text(double seconds) {
  if (seconds < 0.999e-3) return formatted("%.*g us", 3, seconds * 1e6);
  if (seconds < 0.999) return formatted("%.*g ms", 3, seconds * 1e3);
  if (seconds < 59.9) return formatted("%.*g s", 3, seconds);
  const long long whole = std::llround(seconds);
  const auto two = [](long long big, const char* unit, long long small, const char* sub) {
    return std::to_string(big) + unit + std::to_string(small) + sub;
  };
  if (whole < 3600) return two(whole / 60, " min ", whole % 60, " s");
  return two(whole / 3600, " h ", whole % 3600 / 60, " min");
}

}  // namespace invar
