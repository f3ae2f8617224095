// Bodies that touch, solved on all ranks together and on this one alone: states and forces agree to the round-off of the equations, at rest
// and in time with friction. Newton's method goes on until the residual falls no further, because its tolerance would limit the agreement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "tests/unit/contact/two_blocks.hpp"

namespace invar::contact_test {
namespace {

constexpr double reach = 0.9 * TwoBlocks::gap;  // d̂: nothing presses at first

struct SolvedCase {
  std::string name;
  int dim;
  CellType cell;
  bool in_time;  // with friction
};
void PrintTo(const SolvedCase& c, std::ostream* out) { *out << c.name; }

/// The upper of two blocks is pressed down and aside.
class SolvedBlocks {
 public:
  SolvedBlocks(const SolvedCase& c, MPI_Comm comm)
      : blocks_(c.dim, c.cell, c.dim == 2 ? 4 : 2, c.dim == 2 ? 7 : 3, c.dim == 2 ? 5 : 2, false, 0.1, 2, comm), residual_(std::make_shared<FormResidual>(blocks_.dofs)) {
    const auto number = [&](double v) { return ControlledValue{residual_->add_control({"", ""}, {v}), {}}; };
    const SolidKind kind = c.dim == 2 ? SolidKind::plane_strain : SolidKind::spatial;
    const CellBatches cells = CellBatches::on_cells(blocks_.dofs, "", 2 * c.cell.order);
    residual_->add_form(make_displacement_form(kind, make_material({.name = "neo_hookean"}), cells), {number(1), number(0.3)});
    std::vector<ControlledValue> law{number(0.3), number(reach)};
    if (c.in_time) {
      residual_->add_form(make_inertia(kind, cells), {number(0.5)});
      law.push_back(number(0.4)), law.push_back(number(0.2));
      residual_->add_form(make_frictional_contact(blocks_.finder, blocks_.dofs), law);
    } else {
      residual_->add_form(make_contact(blocks_.finder, blocks_.dofs), law);
    }
    RigidVelocity along;
    along.constant = {0.3, 1, 0.2};
    std::vector<double> factors(residual_->add_functional(make_contact_force(blocks_.finder, blocks_.dofs, c.in_time, along), law) + 1, 0.0);
    factors.back() = 1;
    force_ = std::make_shared<FormValue>(residual_, factors);
    constexpr double way[] = {0.02, -0.04, 0.01};
    for (int i = 0; i < c.dim; ++i) {
      ControlledValue pressed = number(way[i]);
      pressed.shape = [](const double*, double t) { return t; };
      pressed.varies_in_time = true;
      residual_->add_dirichlet({.region = "lower_bottom", .component = i, .value = number(0)});
      residual_->add_dirichlet({.region = "upper_top", .component = i, .value = pressed});
    }
    residual_->finish();
    LinearSolverOptions linear;
    linear.rtol = 1e-15;
    const auto solver = std::make_shared<LinearSolver>(comm, linear);
    if (c.in_time)
      process_ = std::make_shared<TransientCase>(c.name, residual_, solver, TimeScheme(TimeScheme::Kind::bdf2, 2, 0.5), std::vector<double>{0, 0.25, 0.5, 0.75, 1}, MarchOptions{});
    else
      process_ = std::make_shared<StaticCase>(c.name, residual_, solver, std::vector<double>{0.5, 1}, 0.0, LoadSteppingOptions{});
    process_->compare_values(true);
  }

  struct Answer {
    std::vector<double> u;  // of every step, by the nodes of the serial mesh
    std::vector<double> forces;
    std::vector<long> pairs;
  };
  Answer solve() {
    Answer a;
    const ProcessReport report = process_->run(residual_->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    const Mesh& mesh = *blocks_.mesh;
    process_->visit_states([&](int, const EvaluationPoint& at) {
      const LocalArray local(at);
      std::vector<double> u(std::size_t(mesh.n_global_nodes) * mesh.dim, 0.0);
      for (int node = 0; node < mesh.n_owned_nodes; ++node)
        for (int i = 0; i < mesh.dim; ++i) u[mesh.original_node[node] * mesh.dim + i] = local.data()[blocks_.dofs->dof(node, i)];
      MPI_Allreduce(MPI_IN_PLACE, u.data(), static_cast<int>(u.size()), MPI_DOUBLE, MPI_SUM, blocks_.dofs->comm());
      a.u.insert(a.u.end(), u.begin(), u.end());
      a.forces.push_back(0);
      force_->evaluate(at, &a.forces.back());
      const SurfaceTransfer transfer(blocks_.finder->surface(), blocks_.finder->nodes(), blocks_.dofs);
      a.pairs.push_back(blocks_.finder->pair_count({mesh.dim, transfer.of_coordinates(mesh.coordinates.data()), transfer.of_unknown(local.data())}, reach));
    });
    return a;
  }
  int pattern_changes() const { return residual_->pattern_changes(); }

 private:
  TwoBlocks blocks_;
  std::shared_ptr<FormResidual> residual_;
  std::shared_ptr<Observable> force_;
  std::shared_ptr<Case> process_;
};

class WholeSolve : public testing::TestWithParam<SolvedCase> {};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 0, worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) size = std::max(size, std::abs(b[i])), worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst / size;
}

TEST_P(WholeSolve, IsTheSameOnAnyNumberOfRanks) {
  SolvedBlocks together(GetParam(), PETSC_COMM_WORLD), alone(GetParam(), PETSC_COMM_SELF);
  const SolvedBlocks::Answer a = together.solve(), b = alone.solve();
  ASSERT_EQ(a.u.size(), b.u.size());
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_GT(b.pairs.back(), GetParam().in_time ? b.pairs.front() : 0);
  EXPECT_GT(std::abs(b.forces.back()), 1e-3);
  EXPECT_EQ(together.pattern_changes(), alone.pattern_changes());
  EXPECT_GE(alone.pattern_changes(), GetParam().dim == 2 ? 2 : 1);
  const double of_states = largest_difference(a.u, b.u), of_forces = largest_difference(a.forces, b.forces);
  EXPECT_LE(of_states, 1e-12);
  EXPECT_LE(of_forces, 1e-12);
  if (std::getenv("INVAR_PRINT")) std::printf("%s: states %.2g, forces %.2g\n", GetParam().name.c_str(), of_states, of_forces);
}

constexpr CellType quad4{Shape::quadrilateral, 1}, tri6{Shape::triangle, 2}, tet4{Shape::tetrahedron, 1}, hex8{Shape::hexahedron, 1};
INSTANTIATE_TEST_SUITE_P(Blocks, WholeSolve,
                         testing::Values(SolvedCase{"plane", 2, quad4, false}, SolvedCase{"plane_quadratic_in_time", 2, tri6, true},
                                         SolvedCase{"space", 3, tet4, false}, SolvedCase{"space_in_time", 3, hex8, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::contact_test
