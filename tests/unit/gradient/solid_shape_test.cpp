// The shape of a solid, whose ends slide along planes, together with its numbers: every observable through the motion of the mesh,
// on any number of ranks.
#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/solid/stress_limit.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

/// The bottom of the body is free; the sides next to it slide.
std::shared_ptr<ShapeDesign> free_bottom(const SolidProblem& p) {
  MeshMotionOptions options;
  options.moving = {"bottom"};
  options.sliding = {{"left", 0}, {"right", 0}};
  if (p.mesh->dim == 3) options.sliding.insert(options.sliding.end(), {{"back", 2}, {"front", 2}});
  const MPI_Comm comm = p.dofs->comm();
  const FreeBoundaryOptions free{.region = "bottom", .smoothing = 0.2, .largest = 0.3, .ends_move = true};
  return std::make_shared<ShapeDesign>(std::make_shared<FreeBoundary>(p.mesh, comm, free), make_mesh_motion(p.mesh, comm, options),
                                       std::vector<ShapeDesign::Target>{{0, p.residual->coordinates_control()}});
}

class SolidShape : public testing::TestWithParam<ProblemSpec> {};

TEST_P(SolidShape, IsExactThroughTheMeshMotion) {
  ProblemSpec spec = GetParam();
  const bool large = spec.kind == SolidKind::spatial && spec.cell.order == 2;
  spec.refinement = (rank_count() > 1 ? 4 : 2) - (large ? 1 : 0);
  const SolidProblem p = make_problem(spec, PETSC_COMM_WORLD);
  const auto solved = p.make_case();
  ASSERT_TRUE(solved->run(p.residual->control_values()).ok);
  const std::shared_ptr<ShapeDesign> shape = free_bottom(p);
  const auto check = [&](const std::vector<const ObservableCase*>& some) {
    auto c = p.make_case();
    for (const ObservableCase* o : some) {
      DataSet set = data_of(p, *solved, *o);
      c->terms().push_back({set.name, set.observable, set.steps, 0.1 / set.noise[0]});
      c->data().push_back(std::move(set));
    }
    CaseFunctional f({c}, {std::make_shared<NumberDesign>(design_of(p)), shape}, p.dofs->comm());
    const DesignVector start = f.start(), theta = moved(start, 0.1, Directions(f, start).random(21));
    check_adjoint_against_tangent(f, theta);
    check_taylor(f, theta);
    check_hessian(f, theta);
  };
  std::vector<const ObservableCase*> all;
  for (const ObservableCase& o : all_observables()) {
    all.push_back(&o);
    if (o.name == "stress_norm" || o.name == "field_samples_from_the_mesh") check({&o});  // small shares of the sum
  }
  check(all);
}

// Limits at points of facets and of cells, some of them active, before and after an update of their multipliers.
TEST(SolidShapes, StressLimitsAreExactThroughTheMeshMotion) {
  const std::vector<ProblemSpec> solids = shaped_solids();
  for (const bool facets : {true, false}) {
    SCOPED_TRACE(facets);
    ProblemSpec spec = solids.front();
    spec.refinement = rank_count() > 1 ? 4 : 2;
    const SolidProblem p = make_problem(spec, PETSC_COMM_WORLD);
    auto c = p.make_case();
    ASSERT_TRUE(c->run(p.residual->control_values()).ok);
    const int last = static_cast<int>(c->times().size()) - 1;
    double peak = 0;
    c->with_state(last, [&](const EvaluationPoint& u) {
      std::vector<StressPart> parts = stress_parts(p, facets);
      integral_of_powers(p.residual, parts, 2, std::make_shared<const double>(1.0));
      peak = greatest_stress(*p.residual, parts, u).stress;
    });
    const auto limit = std::make_shared<StressLimit>(p.residual, stress_parts(p, facets), StressLimit::Options{.limit = 0.7 * peak, .penalty = 3});
    c = p.make_case();
    c->terms().push_back({"limit", limit, {last}});
    CaseFunctional f({c}, {std::make_shared<NumberDesign>(design_of(p)), free_bottom(p)}, p.dofs->comm());
    const DesignVector start = f.start(), theta = moved(start, 0.1, Directions(f, start).random(21));
    for (int round = 0; round < 2; ++round) {
      SCOPED_TRACE(round);
      ASSERT_TRUE(f.value(theta).ok);
      LimitStatus status;
      c->with_state(last, [&](const EvaluationPoint& u) { status = limit->status(u); });
      EXPECT_TRUE(0 < status.active_points && status.active_points < status.points) << status.active_points << " of " << status.points;
      check_adjoint_against_tangent(f, theta);
      if (rank_count() == 1) check_taylor(f, theta);
      ASSERT_TRUE(f.update_adaptive_parameters(theta).ok);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, SolidShape, testing::ValuesIn(shaped_solids()), [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace invar::gradient_test
