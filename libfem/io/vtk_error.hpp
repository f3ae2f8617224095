#pragma once
#include <stdexcept>

namespace invar {

/// A file for visualisation could not be created or written.
class VtkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
