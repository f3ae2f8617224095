#pragma once
#include <memory>
#include <string>

namespace invar {

/// Where something was written. `line` and `column` count from 1 (columns in characters); 0 when
/// the place has no lines, as for a missing file or a `--set` argument.
struct SourcePosition {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;

  static SourcePosition whole(std::string file) {
    return {std::make_shared<const std::string>(std::move(file)), 0, 0};
  }
  /// "spec.yaml:12:7", "spec.yaml:12" or "spec.yaml".
  std::string text() const {
    std::string out = file ? *file : std::string("spec");
    if (line > 0) out += ':' + std::to_string(line);
    if (line > 0 && column > 0) out += ':' + std::to_string(column);
    return out;
  }
};

}  // namespace invar
