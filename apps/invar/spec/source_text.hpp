#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"

namespace invar::spec {

/// The text of a file, with its lines. Columns are counted in characters, not in bytes.
class SourceText {
 public:
  /// `text` must outlive this. A byte-order mark at the front is left out.
  SourceText(std::string_view text, const std::string& name);

  std::string_view text() const { return text_; }
  std::size_t line_count() const { return starts_.size(); }
  /// One line without its end, 0-based.
  std::string_view line(std::size_t index) const;
  /// Position of a byte; both arguments 0-based. Beyond the end it is the end.
  SourcePosition at(std::size_t line, std::size_t byte) const;
  SourcePosition whole() const { return {file_, 0, 0}; }
  /// Records what is not plain UTF-8 text: wrong bytes, control characters.
  void check_characters(Diagnostics&) const;

 private:
  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::vector<std::size_t> starts_;       // byte at which each line starts
  std::vector<std::uint32_t> characters_;  // before each byte; empty when all are one byte
};

/// Reads a whole file of at most `largest` bytes; a missing file, a folder, or an unreadable or
/// larger file is a mistake. `what` names the kind of file, e.g. "spec".
std::optional<std::string> read_text_file(const std::string& file, const std::string& what,
                                          std::size_t largest, Diagnostics&);

}  // namespace invar::spec
