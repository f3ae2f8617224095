// The centre of mass of a solid by itself, every node's coordinates being designed besides materials, loads and the
// initial state.
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

TEST(CentreOfMass, IsExactThroughTheShape) {
  if (rank_count() > 1) GTEST_SKIP();
  int shaped = 0;
  for (const TransientSolidSpec& s : all_transient_solids()) {
    if (!s.coordinates) continue;
    SCOPED_TRACE(s.name);
    ++shaped;
    const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
    const auto c = p.make_case();
    for (const ProcessQuantity& q : p.quantities)
      if (q.term.name == "centre of mass") c->terms().push_back(q.term);
    ASSERT_EQ(c->terms().size(), 1u);
    CaseFunctional f({c}, full_design(p), PETSC_COMM_WORLD);
    const DesignVector theta = moved(f.start(), 0.05, Directions(f, f.start()).random(31));
    check_adjoint_against_tangent(f, theta);
    check_taylor(f, theta, 0.01);
  }
  EXPECT_EQ(shaped, 4);
}

}  // namespace
}  // namespace invar::gradient_test
