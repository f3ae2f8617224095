// The whole way from a field w, made free of divergence, through a march to the objectives: every kind of flow,
// with numbers and signals (of boundaries, too) and shapes designed besides, and the fields' roughness and size
// among the objectives.
#include "libfem/design/field/nodal_penalty.hpp"
#include "libfluid/design/initial_field.hpp"
#include "tests/unit/gradient/first_rank.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

struct InitialEntry {
  TransientFlowSpec flow;
  double smoothing = 0;
};

std::vector<InitialEntry> initial_entries() {
  using Kind = TimeScheme::Kind;
  constexpr CellType tri6{Shape::triangle, 2}, quad9{Shape::quadrilateral, 2}, tet10{Shape::tetrahedron, 2};
  std::vector<InitialEntry> all{
      {{.name = "bdf2", .scheme = Kind::bdf2, .cell = tri6}, 0.3},
      {{.name = "bdf2_bspline", .scheme = Kind::bdf2, .cell = tri6, .shape = "bspline"}, 0.1},
      {{.name = "bdf2_linearised", .scheme = Kind::bdf2, .linearised = true, .cell = quad9}, 0},
      {{.name = "axisymmetric", .scheme = Kind::sdirk2, .kind = FlowKind::axisymmetric, .cell = tri6}, 0.2},
      {{.name = "spatial",
        .scheme = Kind::backward_euler,
        .linearised = true,
        .kind = FlowKind::spatial,
        .cell = tet10,
        .shape = "ffd",
        .times = {0, 0.08, 0.18, 0.28}},
       0.2}};
  for (InitialEntry& e : all) e.flow.initial_field = true;
  return all;
}

/// The flow with its initial field designed so. The first entry of the march's fields is its initial velocity.
TransientProblem make_initial(const InitialEntry& e, MPI_Comm comm) {
  TransientProblem p = make_transient(e.flow, comm);
  const int control = p.fields.at(0);
  p.fields.clear();
  const auto projection = std::make_shared<SolenoidalProjection>(p.residual, e.flow.kind, p.times.front(), e.smoothing);
  const std::vector<double> start = p.residual->control_values()[control];
  const int source = p.residual->add_control(
      {.name = "source", .unit = "m/s", .layout = ControlLayout::nodes, .components = p.mesh->dim}, start);
  p.beginning = std::make_shared<InitialField>(std::vector<InitialField::Target>{{0, control, projection, source}}, "", start);
  const auto penalise = [&](const char* name, int field, NodalPenalty::Of of) {
    const bool axisymmetric = e.flow.kind == FlowKind::axisymmetric;
    p.quantities.push_back({{name, std::make_shared<NodalPenalty>(p.residual, field, of, axisymmetric), {1}}, {"NodalPenalty"}});
  };
  penalise("roughness", control, NodalPenalty::Of::roughness);
  penalise("size", source, NodalPenalty::Of::size);
  return p;
}

TEST(InitialFields, AreExact) {
  for (const InitialEntry& e : initial_entries()) {
    SCOPED_TRACE(e.flow.name);
    const TransientProblem p = make_initial(e, PETSC_COMM_WORLD);
    const auto f = make_transient_functional(p);
    const DesignVector theta = probed(*f);
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    if (rank_count() == 1) check_taylor(*f, theta, 0.01);
  }
}

// The field alone, so that its errors are not hidden by the influence of the numbers. On three ranks RanksAgreeWithOne compares the
// whole gradient.
TEST(InitialFields, AreExactAlone) {
  if (rank_count() > 2) GTEST_SKIP();
  for (const InitialEntry& e : initial_entries()) {
    SCOPED_TRACE(e.flow.name);
    TransientProblem p = make_initial(e, PETSC_COMM_WORLD);
    p.numbers.clear();
    p.signals.clear();
    p.shape.reset();
    const auto f = make_transient_functional(p);
    const DesignVector theta = probed(*f);
    DesignVector g;
    ASSERT_TRUE(f->gradient(theta, g).ok);
    ASSERT_GT(norm(g, f->comm()), 1e-3);
    for (const auto& [along, direction] : directions_of(*f, theta))
      EXPECT_PASSED(dot_product_test(*f, theta, direction, along, 1e-10));
    if (rank_count() == 1) check_taylor(*f, theta, 0.1);
  }
}

TEST(InitialFields, RanksAgreeWithOne) {
  if (rank_count() == 1) GTEST_SKIP();
  for (const InitialEntry& e : initial_entries()) {
    SCOPED_TRACE(e.flow.name);
    const auto findings = [&](MPI_Comm comm) {
      const TransientProblem p = make_initial(e, comm);
      const auto f = make_transient_functional(p);
      DesignVector g;
      const Evaluation at = f->gradient(f->start(), g);
      require(at);
      return Findings{{at.value, norm(g, comm)}, g.shared};
    };
    const Findings together = findings(PETSC_COMM_WORLD), alone = found_by_first_rank(together, [&] { return findings(PETSC_COMM_SELF); });
    const double size = alone[0][1];
    EXPECT_NEAR(together[0][0], alone[0][0], 1e-9 * std::abs(alone[0][0]));
    EXPECT_NEAR(together[0][1], size, 1e-8 * size);
    for (std::size_t i = 0; i < alone[1].size(); ++i) EXPECT_NEAR(together[1][i], alone[1][i], 1e-9 * size) << "number " << i;
  }
}

TEST(InitialFields, AreDesignedWhereTheRegionIs) {
  if (rank_count() > 1) GTEST_SKIP();
  const TransientProblem p = make_transient(initial_entries()[0].flow, PETSC_COMM_WORLD);
  const auto projection = std::make_shared<SolenoidalProjection>(p.residual, FlowKind::planar, 0.0, 0.1);
  const int control = p.fields.at(0);
  const std::vector<double>& start = p.residual->control_values()[control];
  const std::vector<InitialField::Target> targets{{0, control, projection}};
  const InitialField everywhere(targets, "fluid", start, 2.5);
  EXPECT_EQ(static_cast<int>(everywhere.nodes().size()), p.mesh->n_owned_nodes);
  // Vertices count less than the nodes between them, whose shape functions hold more of the area; bounds scale alike.
  const DesignVector at = everywhere.start(), upper = everywhere.upper(), lower = everywhere.lower();
  double squares = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_NEAR(upper.local[i] * start[i], 2.5 * at.local[i], 1e-13);
    EXPECT_EQ(lower.local[i], -upper.local[i]);
    squares += std::pow(upper.local[i] / 2.5, 2);
  }
  EXPECT_NEAR(squares, static_cast<double>(start.size()), 1e-10);
  EXPECT_THROW(InitialField(targets, "body", start), std::invalid_argument);  // of facets
  EXPECT_THROW(InitialField(targets, "nowhere", start), std::invalid_argument);
}

}  // namespace
}  // namespace invar::gradient_test
