#pragma once
#include <stdexcept>

namespace invar {

/// The command line is wrong; exit code 2 (ExitCode::usage).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
