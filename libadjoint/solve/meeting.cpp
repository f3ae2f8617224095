#include "libadjoint/solve/meeting.hpp"

#include <chrono>
#include <cmath>
#include <thread>

namespace invar {
namespace {

/// Those that have waited this long sleep between two looks (seconds). Products of matrices without entries meet here, too: a sleep
/// would be a good part of one.
constexpr double watchful = 0.1;

}  // namespace

std::optional<int> largest_at(MPI_Comm comm, Meeting place, int value, double patience) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return value;
  static bool alone = false;
  // the largest place, minus the smallest, the largest value; MPI may still write there after this has given up
  static int words[3];
  if (alone) return {};
  words[0] = static_cast<int>(place), words[1] = -words[0], words[2] = value;
  // PETSc's own communicators have collective calls under way where a rank has failed: they must not meet this one
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, words, 3, MPI_INT, MPI_MAX, PETSC_COMM_WORLD, &request);
  const double begin = MPI_Wtime();
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done || words[0] != -words[1]) {
    const double waited = MPI_Wtime() - begin;
    alone = (done && std::isfinite(patience)) || waited > patience;
    if (alone) return {};
    if (waited > watchful) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return words[2];
}

}  // namespace invar
