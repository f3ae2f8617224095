#pragma once
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <vector>

#include "libadjoint/reduced_functional.hpp"

namespace invar::gradient_test {

/// Lists of numbers whose sizes do not depend on the number of ranks.
using Findings = std::vector<std::vector<double>>;

inline void require(const Evaluation& e) {
  if (!e.ok) throw std::runtime_error(e.reason);
}

/// What the first rank finds alone, on all ranks; `together` has lists of the same sizes. The others wait and leave it the cores. Where
/// `find` throws, or finds lists of other sizes, the test fails and all ranks get zeros.
template <class Find>
Findings found_by_first_rank(const Findings& together, Find&& find) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  Findings alone;
  if (rank == 0) {
    try {
      alone = find();
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
    EXPECT_EQ(alone.size(), together.size());
  }
  alone.resize(together.size());
  for (std::size_t k = 0; k < together.size(); ++k) {
    if (rank == 0) {
      EXPECT_EQ(alone[k].size(), together[k].size()) << "list " << k;
    }
    alone[k].resize(together[k].size());
    MPI_Bcast(alone[k].data(), static_cast<int>(alone[k].size()), MPI_DOUBLE, 0, PETSC_COMM_WORLD);
  }
  return alone;
}

}  // namespace invar::gradient_test
