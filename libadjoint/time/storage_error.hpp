#pragma once
#include <stdexcept>

namespace invar {

/// A state could not be stored or read: no space, or a disk error. The message contains the path and the system's
/// error.
class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
