#pragma once
#include <vector>

namespace invar::test {

/// What a room's program does before it starts MPI: functions that its files add while their variables are initialised.
inline std::vector<void (*)()>& before_mpi() {
  static std::vector<void (*)()> all;
  return all;
}

}  // namespace invar::test
