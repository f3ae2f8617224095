#pragma once
#include <vector>

namespace invar::test {

/// Functions that a room's test program calls before it initialises MPI. Files add them while static variables are initialised.
inline std::vector<void (*)()>& before_mpi() {
  static std::vector<void (*)()> all;
  return all;
}

}  // namespace invar::test
