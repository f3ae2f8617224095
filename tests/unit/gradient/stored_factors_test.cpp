// Factorisations of the forward sweep that the reverse sweep reuses.
#include "tests/unit/gradient/stored_factors.hpp"

#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

template <class Spec>
const Spec& problem_named(const std::vector<Spec>& all, const char* name) {
  const auto at = std::ranges::find(all, name, &Spec::name);
  EXPECT_NE(at, all.end()) << name;
  return *at;
}

TEST(StoredFactors, OfASolidChangeNoGradient) {
  const std::vector<TransientSolidSpec> all = all_transient_solids();
  TransientSolidSpec s = problem_named(all, "euler_floor");
  s.body.refinement = 3;
  check_kept_factors(make_transient(s, PETSC_COMM_WORLD));
}

TEST(StoredFactors, OfStagesChangeNoGradient) {
  TransientSolidSpec s{.name = "stages", .scheme = TimeScheme::Kind::sdirk2};
  s.body.refinement = 3;
  check_kept_factors(make_transient(s, PETSC_COMM_WORLD));
}

TEST(StoredFactors, OfAFlowChangeNoGradient) {
  const auto all = all_transient_flows();
  EXPECT_EQ(check_kept_factors(make_transient(problem_named(all, "bdf2_linearised"), PETSC_COMM_WORLD, 0)), 0);  // linear in each step
}

}  // namespace
}  // namespace invar::gradient_test
