// Prescribed displacements that lead through a gap and into another body.
#include <gtest/gtest.h>

#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/contact/two_blocks.hpp"

namespace invar::contact_test {
namespace {

std::vector<double> even_loads(int steps) {
  std::vector<double> loads;
  for (int k = 1; k <= steps; ++k) loads.push_back(double(k) / steps);
  return loads;
}

struct Pushed {
  TwoBlocks blocks{2, {Shape::quadrilateral, 1}, 6, 6, 4};
  std::shared_ptr<FormResidual> residual = std::make_shared<FormResidual>(blocks.dofs);
  std::shared_ptr<StaticCase> process;
  int coordinates = -1;

  /// The upper block's `moved` nodes go down by `way` in load steps; the lower one's base, or all of it, is held.
  Pushed(double way, const std::string& moved, const std::string& held, int steps = 1) {
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(SolidKind::plane_strain, make_material({.name = "neo_hookean"}), CellBatches::on_cells(blocks.dofs, "", 2)),
                       {number(1), number(0.3)});
    residual->add_form(make_contact(blocks.finder, blocks.dofs), {number(0.1), number(1e-3)});
    for (int i = 0; i < 2; ++i) {
      residual->add_dirichlet({.region = held, .component = i, .value = number(0)});
      ControlledValue down = number(i == 1 ? -way : 0);
      down.shape = [](const double*, double t) { return t; };
      down.varies_in_time = true;
      residual->add_dirichlet({.region = moved, .component = i, .value = down});
    }
    coordinates = residual->add_coordinates();
    residual->finish();
    process = std::make_shared<StaticCase>("pushed", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), even_loads(steps), 0.0, LoadSteppingOptions{});
  }
  ProcessReport run() { return process->run(residual->control_values()); }
  double smallest_gap() {
    const SurfaceTransfer transfer(blocks.finder->surface(), blocks.finder->nodes(), blocks.dofs);
    const LocalArray u(process->state(0));
    SurfacePosition at;
    at.dim = 2;
    at.X = transfer.of_coordinates(blocks.mesh->coordinates.data());
    at.u = transfer.of_unknown(u.data());
    return blocks.finder->smallest_gap(at);
  }
};

// A step of six times the gap: the linear prediction would be inside the other body.
TEST(PrescribedMotion, StopsBeforeABodyAndPushesIt) {
  Pushed pushed(6 * TwoBlocks::gap, "upper_top", "lower_bottom");
  const ProcessReport report = pushed.run();
  ASSERT_TRUE(report.ok) << report.reason;
  const double gap = pushed.smallest_gap();
  EXPECT_GT(gap, 0);
  EXPECT_LT(gap, 1e-3);
  // The lower surface moves downwards.
  const LocalArray u(pushed.process->state(0));
  double lowest = 0;
  for (const int node : pushed.blocks.mesh->find_region("lower_top")->nodes) lowest = std::min(lowest, u.data()[pushed.blocks.dofs->dof(node, 1)]);
  EXPECT_LT(lowest, -0.3 * 5 * TwoBlocks::gap);
  EXPECT_GT(lowest, -5 * TwoBlocks::gap);
}

// A march in which a held body moves by seven reaches of the law in a step, far into a soft one: the tangent tells how the soft one gives way.
// Shorter steps find only the first touch, which no tangent knows of. The last state is that of a path of many small load steps.
TEST(PrescribedMotion, StepsFollowABodyThatGivesWay) {
  const double way = 7 * TwoBlocks::gap;
  const int steps = 10;
  Pushed marched(way, "upper", "lower_bottom"), loaded(way, "upper", "lower_bottom", 40);
  std::vector<double> times = even_loads(steps);
  times.insert(times.begin(), 0.0);
  TransientCase march("marched", marched.residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), TimeScheme(TimeScheme::Kind::backward_euler, 1), times, MarchOptions{});
  const ProcessReport report = march.run(marched.residual->control_values());
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_LE(march.march_report().troubles.size(), 1u);
  const ProcessReport reference = loaded.run();
  ASSERT_TRUE(reference.ok) << reference.reason;
  march.with_state(steps, [&](const EvaluationPoint& u) {
    const VecHandle difference = zeros_like(u.unknown);
    PetscReal norm = 0, size = 0;
    check(VecWAXPY(difference, -1.0, u.unknown, loaded.process->state(39)));
    check(VecNorm(difference, NORM_INFINITY, &norm));
    check(VecNorm(u.unknown, NORM_INFINITY, &size));
    EXPECT_LT(norm, 1e-8 * size);
  });
}

// No body can move: the run ends with a report, not with an overlap.
TEST(PrescribedMotion, ThroughARigidBodyIsReported) {
  Pushed pushed(6 * TwoBlocks::gap, "upper", "lower");
  const ProcessReport report = pushed.run();
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("prescribed"), std::string::npos) << report.reason;
}

// A shape design that moves one body into the other is a failed evaluation, also if their surfaces do not intersect; the next
// evaluation succeeds. A narrow gap is one, too.
TEST(PrescribedMotion, BodiesInsideEachOtherUndeformedAreRefused) {
  Pushed pushed(1.5 * TwoBlocks::gap, "upper_top", "lower_bottom");
  const Controls given = pushed.residual->control_values();
  const auto run_lowered = [&](double gaps) {
    Controls lowered = given;
    std::vector<double>& x = lowered[pushed.coordinates];
    for (std::size_t i = 1; i < x.size(); i += 2)
      if (x[i] > 0.4 + 0.5 * TwoBlocks::gap) x[i] -= gaps * TwoBlocks::gap;
    return pushed.process->run(lowered);
  };
  EXPECT_EQ(run_lowered(2).reason, "bodies overlap where the process begins");
  EXPECT_TRUE(pushed.process->run(given).ok);
  EXPECT_FALSE(run_lowered(2).ok);
  const ProcessReport narrow = run_lowered(0.92);
  EXPECT_TRUE(narrow.ok) << narrow.reason;
}

}  // namespace
}  // namespace invar::contact_test
