// Quantities of solids in motion, each by itself, every node's coordinates being designed besides materials, loads and
// the initial state: where the centre of mass is, and statistics of a deflection.
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

class ThroughTheShape : public testing::TestWithParam<const char*> {};

// On several ranks a body that flies and one that is held and remembers, without Taylor tests.
TEST_P(ThroughTheShape, IsExact) {
  const int ranks = rank_count();
  int shaped = 0;
  for (TransientSolidSpec s : all_transient_solids()) {
    if (!s.coordinates || (ranks > 1 && shaped == 2)) continue;
    if (ranks > 1) s.body.refinement = 3;  // something to do for every rank
    SCOPED_TRACE(s.name);
    ++shaped;
    const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
    const auto c = p.make_case();
    for (const ProcessQuantity& q : p.quantities)
      if (q.term.name == GetParam()) c->terms().push_back(q.term);
    ASSERT_EQ(c->terms().size(), 1u);
    CaseFunctional f({c}, full_design(p), PETSC_COMM_WORLD);
    const DesignVector theta = moved(f.start(), 0.05, Directions(f, f.start()).random(31));
    check_adjoint_against_tangent(f, theta);
    if (ranks == 1) check_taylor(f, theta, 0.01);
  }
  EXPECT_GE(shaped, ranks == 1 ? 5 : 2);
}

INSTANTIATE_TEST_SUITE_P(Quantities, ThroughTheShape,
                         testing::Values("centre of mass", "r.m.s. deflection, windowed",
                                         "smallest deflection, windowed"),
                         [](const auto& info) {
                           std::string name;
                           for (const char letter : std::string(info.param))
                             if (std::isalnum(letter)) name += letter;
                           return name;
                         });

}  // namespace
}  // namespace invar::gradient_test
