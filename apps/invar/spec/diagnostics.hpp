#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/diagnostic.hpp"

namespace invar {

/// Gathers the mistakes of an input, so that the user sees all of them at once, and warnings of what may be one.
class Diagnostics {
 public:
  void error(SourcePosition at, std::string path, std::string message, std::string allowed = {}) {
    found_.push_back({std::move(at), std::move(path), std::move(message), std::move(allowed)});
  }
  /// What may be a mistake; it does not count as one. Several cases may have the same: it is kept once.
  void warning(const SourcePosition& at, const std::string& message);
  /// Sentences with the position in front, in the order in which they were found.
  const std::vector<std::string>& warnings() const { return warnings_; }
  bool empty() const { return found_.empty(); }
  std::size_t size() const { return found_.size(); }

  /// Sorted by file (in order of first mention), line and column; repeated ones once.
  std::vector<Diagnostic> sorted() const;
  /// Every mistake, then a line with their number.
  std::string text() const;
  /// Throws SpecError when there is any mistake.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> found_;
  std::vector<std::string> warnings_;
};

}  // namespace invar
