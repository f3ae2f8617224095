#include "apps/invar/verbs/meeting.hpp"

#include <petscsys.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace invar {

std::optional<int> largest_at(Meeting place, int value, double patience) {
  static bool alone = false;
  // the largest place, minus the smallest, the largest value; MPI may still write there after this has given up
  static int words[3];
  if (alone) return {};
  words[0] = static_cast<int>(place), words[1] = -words[0], words[2] = value;
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, words, 3, MPI_INT, MPI_MAX, PETSC_COMM_WORLD, &request);
  const double begin = MPI_Wtime();
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done || words[0] != -words[1]) {
    alone = (done && std::isfinite(patience)) || MPI_Wtime() - begin > patience;
    if (alone) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return words[2];
}

}  // namespace invar
