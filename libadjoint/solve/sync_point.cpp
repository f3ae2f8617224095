#include "libadjoint/solve/sync_point.hpp"

#include <chrono>
#include <cmath>
#include <thread>

namespace invar {
namespace {

/// Ranks that have waited this long (seconds) sleep between two checks. Products with empty matrices also wait here: a sleep would
/// take a large part of their time.
constexpr double watchful = 0.1;

}  // namespace

std::optional<int> largest_at(MPI_Comm comm, SyncPoint place, int value, double patience) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return value;
  static bool alone = false;
  // the largest place, minus the smallest, the largest value; static, because MPI may write there after this function has given up
  static int words[3];
  if (alone) return {};
  words[0] = static_cast<int>(place), words[1] = -words[0], words[2] = value;
  // a separate communicator, because PETSc's have unfinished collective calls after a failure on one rank
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
