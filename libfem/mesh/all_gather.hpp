#pragma once
#include <mpi.h>

#include <numeric>
#include <vector>

namespace invar {

/// Concatenation of the values of all ranks, in rank order; `type`: MPI type of T. Collective.
template <class T>
std::vector<T> all_gather(const std::vector<T>& mine, MPI_Datatype type, MPI_Comm comm) {
  int size = 1, count = static_cast<int>(mine.size());
  MPI_Comm_size(comm, &size);
  std::vector<int> counts(size), starts(size + 1, 0);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<T> all(starts.back());
  MPI_Allgatherv(mine.data(), count, type, all.data(), counts.data(), starts.data(), type, comm);
  return all;
}

}  // namespace invar
