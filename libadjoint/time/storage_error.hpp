#pragma once
#include <stdexcept>

namespace invar {

/// A state that could not be kept or brought back: no room, or the disk failed. The message has the
/// path and what the system said.
class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace invar
