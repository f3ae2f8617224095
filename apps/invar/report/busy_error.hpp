#pragma once
#include <stdexcept>

namespace invar {

/// A folder is in use by another process, which the text names, or was taken over by it; exit code 75
/// (ExitCode::interrupted).
class BusyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
