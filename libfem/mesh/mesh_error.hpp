#pragma once
#include <stdexcept>
#include <string>

namespace invar {

/// A mesh that cannot be used. The message reads "path:line: mistake and correction"; binary files have "path:byte N:"
/// in place of the line.
class MeshError : public std::runtime_error {
 public:
  explicit MeshError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace invar
