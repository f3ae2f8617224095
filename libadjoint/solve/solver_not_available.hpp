#pragma once
#include <stdexcept>

namespace invar {

/// A linear solver that was asked for needs a library or a device that is not there.
class SolverNotAvailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
