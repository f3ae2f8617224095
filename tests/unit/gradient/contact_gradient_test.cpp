// Bodies that touch: at rest without friction, where second derivatives are checked too, in time with it; pairs come and go from step to
// step. Designs: materials, loads, numbers of the contact, motion, initial speed, coordinates of every node, position of obstacles.
#include <cmath>
#include <set>

#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/stored_factors.hpp"
#include "tests/unit/gradient/touching_problem.hpp"

namespace invar::gradient_test {
namespace {

/// A point near the start at which the differences of `check_hessian` meet the same pairs of features everywhere: where pairs change second derivatives
/// of the energy jump, and with them the gradient.
DesignVector point_of_smoothness(CaseFunctional& f, const TouchingBuilder& builder) {
  constexpr double h = 1e-4;
  Case& process = *f.cases().front();
  const auto met = [&](const DesignVector& theta) {
    const Evaluation e = f.value(theta);
    EXPECT_TRUE(e.ok) << e.reason;
    return builder.met(process);
  };
  for (int k = 0; k < 20; ++k) {
    const DesignVector theta = moved(f.start(), 0.002 * k, Directions(f, f.start()).random(40 + k)), d = Directions(f, theta).random(11);
    const std::vector<ActivePairs> here = met(theta);
    int smooth = here == met(moved(theta, h, d)) && here == met(moved(theta, -h, d));
    MPI_Allreduce(MPI_IN_PLACE, &smooth, 1, MPI_INT, MPI_MIN, f.comm());
    if (smooth) return theta;
  }
  ADD_FAILURE() << "pairs change everywhere";
  return f.start();
}

class Touching : public testing::TestWithParam<TouchingSpec> {};

TEST_P(Touching, IsExact) {
  TouchingBuilder builder(GetParam(), PETSC_COMM_WORLD);
  const TransientProblem p = builder.build();
  const auto f = make_functional_of(p, builder.process(p));
  std::set<std::size_t> pairs;  // numbers of those that press
  f->cases().front()->visit_states([&](int, const EvaluationPoint& u) { pairs.insert(builder.active(u)); });
  EXPECT_GT(pairs.size(), 1u);
  EXPECT_GT(p.residual->pattern_changes(), GetParam().changes);
  const DesignVector theta = f->start();
  DesignVector g;
  const Evaluation e = f->gradient(theta, g);
  ASSERT_TRUE(e.ok) << e.reason;
  for (std::size_t i = 0; i < g.shared.size(); ++i) EXPECT_GT(std::abs(g.shared[i]), 1e-9) << f->names()[i];
  check_adjoint_against_tangent(*f, theta);
  check_constraints(*f, theta);
  if (!GetParam().scheme) check_hessian(*f, rank_count() > 2 ? theta : point_of_smoothness(*f, builder));  // on three without differences
  if (rank_count() == 1) return check_taylor(*f, theta, 0.001);
  TouchingBuilder beside(GetParam(), PETSC_COMM_SELF);
  const TransientProblem alone = beside.build();
  const auto same = make_functional_of(alone, beside.process(alone));
  DesignVector here;
  const Evaluation b = same->gradient(same->start(), here);
  ASSERT_TRUE(b.ok) << b.reason;
  EXPECT_NEAR(e.value, b.value, 1e-9 * std::abs(b.value));
  expect_near(g.shared, here.shared, "gradient");
}

// Between the march and the sweep patterns of the matrix change, and with them the matrix that kept factors precondition.
TEST(TouchingOnKeptFactors, HasTheSameGradient) {
  check_kept_factors(touching_problem("bdf2"), true);
  check_kept_factors(touching_problem("generalised_alpha_spatial"));
}

// The factors with which a step of bdf2 begins are those of the solution before it: one iteration. Not so in the first one, which is by backward Euler,
// and in the last one, which has none: ten iterations, or a factorisation.
TEST(TouchingOnKeptFactors, SolvesWithTheMatrixOfTheSolution) {
  TransientProblem p = touching_problem("bdf2");
  for (std::size_t k = 0; k < p.times.size(); ++k) p.times[k] = 0.0125 * static_cast<double>(k);
  const MarchReport r = GradientInMemory(p, std::size_t(1) << 40, false).report;
  EXPECT_EQ(r.kept_factors, r.steps - 1);
  EXPECT_LE(r.adjoint_factorisations, 2);
  EXPECT_LE(r.adjoint_iterations, r.steps - 2 + 2 * 10);
}

/// Of every state and component a sum over nodes, weighted by their numbers in the serial mesh: parts may be made otherwise each time.
std::vector<double> sums_of_states(const TransientProblem& p, Case& process) {
  std::vector<double> all;
  process.visit_states([&](int, const EvaluationPoint& u) {
    const LocalArray local(u);
    for (int i = 0; i < p.mesh->dim; ++i) {
      double sum = 0;
      for (int node = 0; node < p.mesh->n_owned_nodes; ++node)
        if (const int dof = p.dofs->dof(node, i); dof >= 0) sum += std::cos(0.7 * static_cast<double>(p.mesh->original_node[node])) * local.data()[dof];
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, p.dofs->comm());
      all.push_back(sum);
    }
  });
  return all;
}

// The pattern affects only the elimination order of the linear solver.
TEST(TouchingInAWholePattern, IsTheSame) {
  using Kind = TimeScheme::Kind;
  constexpr CellType tri6{Shape::triangle, 2}, hex27{Shape::hexahedron, 2};
  for (TouchingSpec s : {TouchingSpec{.name = "at rest", .cell = tri6, .coordinates = true, .changes = 1}, TouchingSpec{.name = "in time", .scheme = Kind::newmark, .cell = tri6, .changes = 1},
                         TouchingSpec{.name = "in space", .cell = hex27, .dim = 3}}) {
    SCOPED_TRACE(s.name);
    std::vector<double> states[2];
    DesignVector g[2];
    double value[2] = {};
    for (const bool whole : {false, true}) {
      s.whole = whole;
      TouchingBuilder builder(s, PETSC_COMM_WORLD);
      const TransientProblem p = builder.build();
      const std::shared_ptr<Case> process = builder.process(p);
      const auto f = make_functional_of(p, process);
      const Evaluation e = f->gradient(f->start(), g[whole]);
      ASSERT_TRUE(e.ok) << e.reason;
      value[whole] = e.value;
      states[whole] = sums_of_states(p, *process);
      if (whole) EXPECT_EQ(p.residual->pattern_changes(), 1);
      else EXPECT_GT(p.residual->pattern_changes(), s.changes);
    }
    EXPECT_NEAR(value[0], value[1], 1e-10 * std::abs(value[0]));
    expect_near(states[1], states[0], "states");
    expect_near(g[1].shared, g[0].shared, "gradient");
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, Touching, testing::ValuesIn(touching_bodies()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::gradient_test
