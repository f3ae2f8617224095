#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "libadjoint/time/refactorisation_policy.hpp"

namespace invar {
namespace {

/// Solves on the same factors until they are worn.
int length(double making, const std::function<double(int)>& work) {
  RefactorisationPolicy pace;
  pace.restart(making);
  int n = 0;
  while (!pace.worn() && n < 1000) pace.add(work(n++));
  return n;
}

// The work per solve is larger for every other number of solves per factorisation, except for the one solve that reveals outdated factors.
TEST(RefactorisationPolicy, RenewsFactorsWhereTheWorkPerSolveIsLeast) {
  const std::vector<std::function<double(int)>> growths{[](int n) { return 1.0 + n; }, [](int n) { return 1 + 0.2 * n; },
                                                        [](int n) { return 3 * std::sqrt(1.0 + n); }};
  for (const double making : {2.0, 8.0, 30.0, 200.0})
    for (const auto& work : growths) {
      const auto average = [&](int m) {
        double sum = making;
        for (int n = 0; n < m; ++n) sum += work(n);
        return sum / m;
      };
      const int m = length(making, work) - 1;
      for (int other = 1; other < 300; ++other) EXPECT_GE(average(other), average(m) * (1 - 1e-12)) << making << " " << m << " " << other;
    }
}

TEST(RefactorisationPolicy, TakesFactorsOfUnknownCostForWorn) {
  RefactorisationPolicy pace;
  EXPECT_TRUE(pace.worn());
  pace.restart(0);
  pace.add(1);
  EXPECT_TRUE(pace.worn());
}

// An expensive first solve, e.g. from rest, does not justify keeping factors once another solve has shown the usual cost.
TEST(RefactorisationPolicy, DoesNotKeepFactorsThatCostMoreThanNewOnes) {
  RefactorisationPolicy pace;
  pace.restart(5);
  pace.add(40);
  pace.add(6.5);
  EXPECT_FALSE(pace.worn());
  pace.restart(5);
  pace.add(1);
  EXPECT_FALSE(pace.worn());
  pace.restart(5);
  pace.add(30);
  EXPECT_FALSE(pace.worn());
  pace.add(6.5);
  EXPECT_TRUE(pace.worn());
}

}  // namespace
}  // namespace invar
