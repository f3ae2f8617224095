#include "libadjoint/verify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace invar {
namespace {

std::string row(const char* check, const char* subject, const std::string& measured,
                const std::string& expected, const char* verdict, const char* note) {
  char text[400];
  std::snprintf(text, sizeof text, "%-18s %-28s %12s %18s  %-6s %s", check, subject,
                measured.c_str(), expected.c_str(), verdict, note);
  std::string line = text;
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string format(const char* how, double a, double b = 0) {
  char text[64];
  std::snprintf(text, sizeof text, how, a, b);
  return text;
}

bool has_failed(const CertificateEntry& e) { return !e.passed && !e.undecided; }

/// The note of an entry and the error of its reference.
std::string remark(const CertificateEntry& e) {
  if (std::isnan(e.reference_error)) return e.note;
  return (e.note.empty() ? "" : e.note + "; ") + format("difference known within %.0e", e.reference_error);
}

}  // namespace

bool Certificate::passed() const {
  return std::ranges::any_of(entries, &CertificateEntry::passed) && std::ranges::none_of(entries, has_failed);
}

bool Certificate::failed() const { return std::ranges::any_of(entries, has_failed); }

std::string Certificate::table() const {
  std::string text = row("check", "of", "measured", "required", "", "");
  for (const CertificateEntry& e : entries) {
    const bool order = e.expected > 0;
    const std::string measured = std::isnan(e.measured) ? "-"
                                 : format(order ? "%.4f" : "%.2e", e.measured);
    const std::string required = order ? format("%.2f ± %.2f", e.expected, e.tolerance)
                                       : format("≤ %.0e", e.tolerance);
    text += row(e.check.c_str(), e.subject.c_str(), measured, required,
                e.passed ? "ok" : e.undecided ? "unsure" : "FAILED", remark(e).c_str());
  }
  const auto unsure = std::ranges::count(entries, true, &CertificateEntry::undecided);
  const auto wrong = std::ranges::count_if(entries, has_failed);
  const auto all = static_cast<std::ptrdiff_t>(entries.size());
  const std::string of_all = " of " + std::to_string(all) + " checks ";
  if (wrong) text += std::to_string(wrong) + of_all + "failed";
  else if (unsure) text += std::to_string(all - unsure) + of_all + "passed";
  else text += "all " + std::to_string(all) + " checks passed";
  return text + (unsure ? ", " + std::to_string(unsure) + " cannot tell\n" : "\n");
}

}  // namespace invar
