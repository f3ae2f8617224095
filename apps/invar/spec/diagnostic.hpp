#pragma once
#include <string>

#include "apps/invar/spec/source_position.hpp"

namespace invar {

/// One mistake of the user.
struct Diagnostic {
  SourcePosition position;
  std::string path;     // in the YAML tree, e.g. "materials.rubber.young"; empty for a whole file
  std::string message;  // one sentence, no full stop
  std::string allowed;  // what would be right; may be empty

  /// "spec.yaml:12:7: error: message", and indented on a second line the path and what is allowed.
  std::string text() const {
    std::string out = position.text() + ": error: " + message;
    if (path.empty() && allowed.empty()) return out;
    out += "\n    ";
    if (!path.empty()) out += "in " + path;
    if (!path.empty() && !allowed.empty()) out += "; ";
    return out + allowed;
  }
};

}  // namespace invar
