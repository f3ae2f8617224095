// Coordinates as a design: every discretisation × every way to move the body × every objective, through
// the motion of the mesh, together with numbers of the flow.
#include "tests/unit/gradient/flow_functional.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/shape_table.hpp"

namespace invar::gradient_test {
namespace {

struct ShapeSpec {
  FlowSpec flow;
  const ShapeCase* shape;
};
void PrintTo(const ShapeSpec& s, std::ostream* out) { *out << s.flow.name << " " << s.shape->name; }

/// Every discretisation with two shapes in turn, and every shape on curved triangles.
std::vector<ShapeSpec> all_shape_specs() {
  std::vector<ShapeSpec> all;
  std::size_t turn = 0;
  for (FlowSpec s : all_flow_specs()) {
    if (s.fields) continue;
    s.moving_mesh = true;
    const bool spatial = s.kind == FlowKind::spatial;
    for (int k = 0, taken = 0; taken < (s.name == "tri6" ? static_cast<int>(all_shapes().size()) : 2); ++k, ++turn) {
      const ShapeCase& shape = all_shapes()[s.name == "tri6" ? k : turn % all_shapes().size()];
      if (spatial && !shape.spatial) continue;
      all.push_back({s, &shape});
      ++taken;
    }
  }
  return all;
}

class ShapeGradient : public testing::TestWithParam<ShapeSpec> {};

// On several ranks flow_parallel_test.cpp compares with one.
TEST_P(ShapeGradient, IsExactThroughTheMeshMotion) {
  if (rank_count() > 1) GTEST_SKIP();
  const SolvedFlow flow(GetParam().flow, PETSC_COMM_WORLD);
  ASSERT_TRUE(flow.report.ok) << flow.report.reason;
  const auto f = flow.functional(shape_and_numbers(flow.problem, *GetParam().shape));
  // Away from the mesh as given, where the motion is not linear.
  const DesignVector start = f->start(), theta = moved(start, 0.2, Directions(*f, start).random(21));
  check_adjoint_against_tangent(*f, theta);
  check_constraints(*f, theta);
  check_taylor(*f, theta);
  check_hessian(*f, theta);
  check_differences(*f, theta);
}

// Each objective alone through every kind of map: linear, nonlinear, free.
TEST(ShapeObjectives, EachIsExactAlone) {
  if (rank_count() > 1) GTEST_SKIP();
  FlowSpec s = all_flow_specs()[1], with_scalar = all_flow_specs().back();
  s.moving_mesh = with_scalar.moving_mesh = true;
  const SolvedFlow plain(s, PETSC_COMM_WORLD), carrying(with_scalar, PETSC_COMM_WORLD);
  ASSERT_TRUE(plain.report.ok && carrying.report.ok) << plain.report.reason << carrying.report.reason;
  for (int k = 0; k < static_cast<int>(all_flow_objectives().size()); ++k) {
    const ShapeCase& shape = all_shapes()[k % 2 ? 4 : 7];
    SCOPED_TRACE(all_flow_objectives()[k].name + " " + shape.name);
    const SolvedFlow& flow = all_flow_objectives()[k].of_scalar ? carrying : plain;
    const auto f = flow.functional({shape_design(flow.problem, shape)}, k);
    const DesignVector start = f->start(), theta = moved(start, 0.2, Directions(*f, start).random(22));
    check_adjoint_against_tangent(*f, theta);
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShapeGradient, testing::ValuesIn(all_shape_specs()), [](const auto& info) {
  return info.param.flow.name + "_" + info.param.shape->name;
});

}  // namespace
}  // namespace invar::gradient_test
