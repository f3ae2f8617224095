#include "apps/invar/problem/gathered_entries.hpp"

namespace invar {

std::map<long long, std::vector<double>> gathered_entries(const std::vector<long long>& numbers, const std::vector<double>& values, int m,
                                                          MPI_Comm comm) {
  int ranks = 1, rank = 0, mine = static_cast<int>(numbers.size());
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  std::vector<int> counts(ranks), starts(ranks), value_counts(ranks), value_starts(ranks);
  MPI_Gather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
  for (int r = 0; r < ranks; ++r) {
    starts[r] = r ? starts[r - 1] + counts[r - 1] : 0;
    value_counts[r] = m * counts[r];
    value_starts[r] = m * starts[r];
  }
  const std::size_t total = rank == 0 ? starts.back() + counts.back() : 0;
  std::vector<long long> all(total);
  std::vector<double> of_all(m * total);
  MPI_Gatherv(numbers.data(), mine, MPI_LONG_LONG, all.data(), counts.data(), starts.data(), MPI_LONG_LONG, 0, comm);
  MPI_Gatherv(values.data(), m * mine, MPI_DOUBLE, of_all.data(), value_counts.data(), value_starts.data(), MPI_DOUBLE, 0, comm);
  std::map<long long, std::vector<double>> out;
  for (std::size_t i = 0; i < total; ++i) out[all[i]].assign(of_all.begin() + m * i, of_all.begin() + m * (i + 1));
  return out;
}

}  // namespace invar
