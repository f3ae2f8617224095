#pragma once
#include <stdexcept>

namespace invar {

/// The requested linear solver needs a library or a device that is missing.
class SolverNotAvailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
