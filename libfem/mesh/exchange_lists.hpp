#pragma once
#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace invar {

/// Sends list r to rank r; returns the received lists by rank. Collective.
inline std::vector<std::vector<std::int64_t>> exchange_lists(const std::vector<std::vector<std::int64_t>>& lists, MPI_Comm comm) {
  const int ranks = static_cast<int>(lists.size());
  std::vector<int> sent(ranks), received(ranks), from(ranks, 0), to(ranks, 0);
  std::vector<std::int64_t> out;
  for (int r = 0; r < ranks; ++r) {
    sent[r] = static_cast<int>(lists[r].size());
    out.insert(out.end(), lists[r].begin(), lists[r].end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  std::exclusive_scan(sent.begin(), sent.end(), from.begin(), 0);
  std::exclusive_scan(received.begin(), received.end(), to.begin(), 0);
  std::vector<std::int64_t> in(to.back() + received.back());
  MPI_Alltoallv(out.data(), sent.data(), from.data(), MPI_INT64_T, in.data(), received.data(), to.data(), MPI_INT64_T, comm);
  std::vector<std::vector<std::int64_t>> result(ranks);
  for (int r = 0; r < ranks; ++r) result[r].assign(in.begin() + to[r], in.begin() + to[r] + received[r]);
  return result;
}

}  // namespace invar
