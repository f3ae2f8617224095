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

}  // namespace

bool Certificate::passed() const {
  return !entries.empty() && std::ranges::all_of(entries, &CertificateEntry::passed);
}

std::string Certificate::table() const {
  std::string text = row("check", "of", "measured", "required", "", "");
  for (const CertificateEntry& e : entries) {
    const bool order = e.expected > 0;
    const std::string measured = std::isnan(e.measured) ? "-"
                                 : format(order ? "%.4f" : "%.2e", e.measured);
    const std::string required = order ? format("%.2f ± %.2f", e.expected, e.tolerance)
                                       : format("≤ %.0e", e.tolerance);
    text += row(e.check.c_str(), e.subject.c_str(), measured, required,
                e.passed ? "ok" : "FAILED", e.note.c_str());
  }
  const auto failed = std::ranges::count(entries, false, &CertificateEntry::passed);
  return text + (failed ? std::to_string(failed) + " of " + std::to_string(entries.size()) +
                              " checks failed\n"
                        : "all " + std::to_string(entries.size()) + " checks passed\n");
}

}  // namespace invar
