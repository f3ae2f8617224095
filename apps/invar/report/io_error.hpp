#pragma once
#include <stdexcept>

namespace invar {

/// A file or folder could not be made, written or replaced; exit code 74 (ExitCode::io).
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
