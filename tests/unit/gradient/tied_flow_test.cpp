// Flow between periodic sides, and rigid parts in a flow: derivatives at rest over load steps and in time.
#include <array>
#include <numbers>
#include <optional>

#include "libfem/form/row_map.hpp"
#include "libfem/mechanism/constraint_rank.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/carve_box.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "tests/unit/gradient/tied_problem.hpp"

namespace invar::gradient_test {
namespace {

/// What both flows have.
class TiedFlow : public TiedProblem {
 protected:
  TiedFlow(const Mesh& serial, std::vector<Component> components, MPI_Comm comm) : TiedProblem(serial, std::move(components), 1, comm) {}

  static FlowModel model() { return {.law = make_viscosity_law("newtonian"), .stress_form = true}; }
  ControlledValue value(const std::string& name, double v) { return {number(name, v), {}}; }
  ControlledValue fixed(double v) { return {nodal_->add_control({"", ""}, {v}), {}}; }
  ControlledValue zero() { return fixed(0); }
  CellBatches cells(const std::string& region, std::vector<int> components) const { return CellBatches::on_cells(dofs_, region, 5, std::move(components)); }
  /// Density, viscosity, body force, resistance.
  std::vector<ControlledValue> constants() { return {density_ = value("density", 1.2), value("viscosity", 0.3), value("force", 0.4), value("lift", 0.2), value("resistance", 0.1)}; }
  void hold(const std::string& region, const std::vector<int>& components) {
    for (const int c : components) nodal_->add_dirichlet({region, c, zero()});
  }
  static Mesh wavy(Mesh mesh, double length, double height) {
    for (std::size_t n = 0; n < mesh.coordinates.size(); n += 2) {
      double& y = mesh.coordinates[n + 1];
      y += 0.1 * y * (1.2 - y / height) * std::sin(2 * std::numbers::pi * mesh.coordinates[n] / length);
    }
    return mesh;
  }
  ControlledValue density_;
};

/// Between wavy walls, driven by a mean pressure gradient.
class PeriodicFlow : public TiedFlow {
 public:
  PeriodicFlow(bool moves, MPI_Comm comm) : TiedFlow(wavy(make_rectangle(0, 0, 1.2, 1, 3, 3, Shape::triangle, 2), 1.2, 1), {{"u_x", 2}, {"u_y", 2}, {"p", 1}}, comm) {
    nodal_->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model(), cells("", {0, 1, 2})), constants());
    if (moves) nodal_->add_form(make_flow_inertia(FlowKind::planar, cells("", {0, 1})), {density_});
    hold("bottom", {0, 1});
    nodal_->add_dirichlet({"top", 0, {number("drag", 0.3), [](const double* x, double t) { return t * (1 + 0.2 * std::sin(2 * std::numbers::pi * x[0] / 1.2)); }, true, true}});
    hold("top", {1});
    hold("left_bottom", {2});
    nodal_->set_algebraic({2});
    const int gradient = number("gradient", -0.8);
    begin();
    const int px = names_["px"] = mechanism_->add_unknown("px");
    mechanism_->hold(px, {gradient, [](double t) { return 0.2 + t; }});
    std::vector<LinearConstraint> constraints;
    const auto wrong = tie_periodic(gather_region(*dofs_, "left"), gather_region(*dofs_, "right"), {{0, {}}, {1, {}}, {2, {first() + px}}}, 0, constraints);
    EXPECT_FALSE(wrong) << *wrong;
    tie(constraints);
    tied_->finish();
  }
};

/// A flag behind a rigid block on springs: a hole in the mesh whose facets follow it, or cells of the flag.
class BlockWithFlag : public TiedFlow {
 public:
  BlockWithFlag(bool hole, MPI_Comm comm)
      : TiedFlow(mesh_of(hole), {{"v_x", 2}, {"v_y", 2}, {"d_x", 2}, {"d_y", 2}, {"p", 1, "water"}}, comm) {
    const std::vector<int> v{0, 1}, d{2, 3};
    nodal_->add_form(make_moving_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model(), cells("water", {0, 1, 4, 2, 3})), constants());
    nodal_->add_form(make_moving_inertia(FlowKind::planar, cells("water", {0, 1, 2, 3})), {density_});
    const auto in_rows_of_v = [&](std::unique_ptr<WeakForm> form) { return std::make_unique<RowMapped>(std::move(form), dofs_, map_rows(*dofs_, d, v)); };
    nodal_->add_form(in_rows_of_v(make_displacement_form(SolidKind::plane_strain, make_material({.name = "neo_hookean"}), cells("flag", d))), {value("young", 60), value("poisson", 0.3)});
    nodal_->add_form(make_flow_inertia(FlowKind::planar, cells("flag", v)), {value("mass of the flag", 1.5)});
    nodal_->add_form(make_body_velocity(FlowKind::planar, cells("flag", {0, 1, 2, 3})), {fixed(60)});
    nodal_->add_form(std::make_unique<RowMapped>(make_mesh_elasticity(2, cells("water", d)), dofs_,
                                                 select_rows(*dofs_, {.regions = {"flag", "block"}, .outside = true, .components = d})), {fixed(60), fixed(2)});
    nodal_->add_dirichlet({"left", 0, {number("inflow", 1.5), [](const double* x, double t) { return t * x[1] * (0.9 - x[1]); }, true, true}});
    hold("left", {1, 2, 3});
    hold("right", d);
    for (const char* wall : {"top", "bottom"}) hold(wall, {0, 1, 2, 3});
    nodal_->set_algebraic({4});
    const auto numbers = [&](const std::string& name, std::vector<double> values) {
      std::vector<MechanismNumber> all;
      for (const double x : values) all.push_back({number(name, x), {}});
      return all;
    };
    const auto mass = numbers("block", {0.4, 0.02}), spring = numbers("spring", {3, 0.5}), weight = numbers("weight", {0.1, -0.3});
    const MechanismNumber spin = numbers("spin", {0.3})[0];
    begin();
    const RegionNodes nodes = gather_region(*dofs_, "block");
    block_.emplace(*mechanism_, "block", 2, centre_of(nodes), true);
    std::vector<LinearConstraint> constraints;
    block_->tie_nodes(nodes, d, v, first(), 0, constraints);
    tie(constraints);
    if (hole) mechanism_->add_term(block_->motion());
    mechanism_->add_term(block_->inertia(mass));
    mechanism_->add_term(block_->spring(spring));
    mechanism_->add_term(block_->dead_force(weight));
    for (const int sign : {1, -1})
      mechanism_->add_initial(Level::value, block_->velocity_of(block_->turn(sign > 0, sign < 0)), {spin.control, [sign](double) { return sign; }});
    ConstraintRank rank(solved_.ties, [this](PetscInt unknown) { return tied_->is_held(unknown); }, first());
    for (int k = 0; k < block_->orthogonality_count(); ++k) {
      std::unique_ptr<MechanismTerm> term = block_->orthogonality(k, mechanism_->size());
      if (!rank.add(*term)) continue;
      multipliers_.insert(mechanism_->add_unknown("rigid", true));
      mechanism_->add_term(std::move(term));
    }
    tied_->finish();
    for (int k = 0; k < mechanism_->size(); ++k) names_[std::to_string(k)] = k;
  }

 private:
  static Mesh mesh_of(bool hole) {
    Mesh mesh = make_rectangle(0, 0, 1.6, 0.9, 4, 3, Shape::triangle);
    const auto in_block = [](double x, double y) { return x > 0.8 && x < 1.2 && y > 0.3 && y < 0.6; };
    const auto in_flag = [=](double x, double y) { return (x > 0.4 && x < 0.8 && y > 0.3 && y < 0.6) || (!hole && in_block(x, y)); };
    if (hole) carve_box(mesh, "block", std::array{0.8, 0.3}, std::array{1.2, 0.6});
    else mark_cells(mesh, "block", [=](double x, double y, double) { return in_block(x, y); });
    mark_cells(mesh, "flag", [=](double x, double y, double) { return in_flag(x, y); });
    mark_cells(mesh, "water", [=](double x, double y, double) { return !in_flag(x, y); });
    return wavy(to_second_order(mesh), 1.6, 0.9);
  }
  std::optional<RigidBody> block_;
};

void check_exact(const TiedProblem& problem, const std::shared_ptr<Case>& c, bool second) {
  CaseFunctional f = functional_of(problem, c);
  const DesignVector theta = probed(f);
  DesignVector g;
  ASSERT_TRUE(f.gradient(theta, g).ok);
  for (std::size_t i = 0; i < g.shared.size(); ++i) EXPECT_GT(std::abs(g.shared[i]), 1e-9) << f.names()[i];
  check_adjoint_against_tangent(f, theta);
  check_taylor(f, theta, 0.01);
  if (second) check_hessian(f, theta);
  if (second && rank_count() == 1) check_differences(f, theta);
}

TEST(TiedFlow, PeriodicFlowIsExact) {
  const PeriodicFlow at_rest(false, PETSC_COMM_WORLD);
  check_exact(at_rest, at_rest.at_rest(), true);
  const PeriodicFlow moving(true, PETSC_COMM_WORLD);
  check_exact(moving, moving.in_time(TimeScheme::Kind::bdf2), false);
}

TEST(TiedFlow, RigidPartsAreExact) {
  for (const bool hole : {true, false})
    for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
      if (hole != (kind == TimeScheme::Kind::bdf2) && (rank_count() > 1 || !hole)) continue;
      SCOPED_TRACE(hole);
      const BlockWithFlag body(hole, PETSC_COMM_WORLD);
      check_exact(body, body.in_time(kind), false);
    }
}

// A march of many steps keeps the gradient, also where states are computed anew from three that are kept.
TEST(TiedFlow, DerivativesStayExactForHundredsOfSteps) {
  constexpr int steps = 300;
  const BlockWithFlag body(true, PETSC_COMM_WORLD);
  const auto all = body.in_time(TimeScheme::Kind::bdf2, steps), few = body.in_time(TimeScheme::Kind::bdf2, steps, 3);
  CaseFunctional f = functional_of(body, all), g = functional_of(body, few);
  const DesignVector theta = probed(f);
  check_adjoint_against_tangent(f, theta);
  TaylorOptions options;
  options.first_step = 0.01;
  options.steps = 5;
  if (rank_count() == 1) { EXPECT_PASSED(taylor_test(f, theta, Directions(f, theta).random(7), "random", options)); }
  DesignVector of_all, of_few;
  ASSERT_TRUE(f.gradient(theta, of_all).ok);
  ASSERT_TRUE(g.gradient(theta, of_few).ok);
  EXPECT_EQ(few->march_report().slots, 3);
  EXPECT_GT(few->march_report().repeated_steps, steps);
  EXPECT_EQ(all->march_report().repeated_steps, 0);
  if (rank_count() > 1) return expect_near(of_few.shared, of_all.shared, "few slots");  // factors of several ranks differ by round-off
  EXPECT_EQ(of_all, of_few);
}

}  // namespace
}  // namespace invar::gradient_test
