#pragma once
#include <mpi.h>

#include <map>
#include <vector>

namespace invar {

/// Numbered entries of m values each [entry × m] of all ranks on rank 0, by ascending number. Collective.
std::map<long long, std::vector<double>> gathered_entries(const std::vector<long long>& numbers, const std::vector<double>& values, int m,
                                                          MPI_Comm comm);

}  // namespace invar
