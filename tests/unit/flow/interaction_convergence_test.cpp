// Orders of convergence in space and time of fluid–structure interaction to a manufactured solution whose interface moves and bends.
#include <gtest/gtest.h>

#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/flow/manufactured_interaction.hpp"

namespace invar {
namespace {

using Exact = test::ManufacturedInteraction;

/// The problem whose solution is the manufactured one: velocity and displacement held on the sides and at the bottom of the body, the
/// mesh along the top, where the fluid's traction acts.
class InteractingLayers {
 public:
  /// order: of velocity and displacement; 1: stabilised flow.
  InteractingLayers(Shape shape, int n, int order = 2) {
    mesh_ = std::make_shared<const Mesh>(distribute(layers(shape, n, order), PETSC_COMM_WORLD));
    dofs_ = std::make_shared<const DofMap>(mesh_, std::vector<Component>{{"v_x", order}, {"v_y", order}, {"d_x", order}, {"d_y", order}, {"p", 1, "fluid"}}, PETSC_COMM_WORLD);
    residual_ = std::make_shared<FormResidual>(dofs_);
    const std::vector<int> v{0, 1}, d{2, 3}, v_d{0, 1, 2, 3};
    const ControlledValue density = number(Exact::density);
    std::vector<ControlledValue> of_fluid{density, number(Exact::viscosity)};
    for (int i = 0; i < 2; ++i) of_fluid.push_back(field([i](const auto& X) { return Exact::fluid_force(i, Exact::place(X)); }));
    of_fluid.push_back(number(Exact::resistance));
    const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = true};
    const auto fluid = [&] { return cells("fluid", {0, 1, 4, 2, 3}); };
    residual_->add_form(make_moving_navier_stokes(FlowKind::planar, order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order, model, fluid()), of_fluid);
    if (order == 2) residual_->add_form(make_moving_inertia(FlowKind::planar, cells("fluid", v_d)), {density});
    else residual_->add_form(make_moving_stabilised_inertia(FlowKind::planar, model, fluid()), {density, of_fluid[1], of_fluid.back()});
    residual_->add_form(make_moving_boundary(FlowKind::planar, FlowBoundary::traction, CellBatches::on_facets(dofs_, "top", 6, v_d)),
                        fields([](int i, const auto& X) { return Exact::stress(Exact::place(X))[i][1]; }));
    const RowMap to_v = map_rows(*dofs_, d, v), of_mesh = select_rows(*dofs_, {.regions = {"body"}, .outside = true, .components = d});
    const auto in = [&](const RowMap& rows, std::unique_ptr<WeakForm> form) { return std::make_unique<RowMapped>(std::move(form), dofs_, rows); };
    residual_->add_form(in(to_v, make_displacement_form(SolidKind::plane_strain, make_material({.name = "neo_hookean"}), cells("body", d))),
                        {number(Exact::young), number(Exact::poisson)});
    residual_->add_form(in(to_v, make_body_force(SolidKind::plane_strain, cells("body", d))), fields([](int i, const auto& X) { return Exact::body_force(i, X); }));
    residual_->add_form(make_flow_inertia(FlowKind::planar, cells("body", v)), {number(Exact::mass)});
    residual_->add_form(make_body_velocity(FlowKind::planar, cells("body", v_d)), {number(1)});
    residual_->add_form(in(of_mesh, make_mesh_elasticity(2, cells("fluid", d))), {number(Exact::mesh_stiffness), number(Exact::mesh_bulk)});
    residual_->add_form(in(of_mesh, make_body_force(SolidKind::plane_strain, cells("fluid", d))), fields([](int i, const auto& X) { return Exact::mesh_force(i, X); }));
    residual_->set_algebraic({4});
    for (int c = 0; c < 4; ++c) {
      const auto exact = field([c](const auto& X) { return Exact::value(c, X); });
      residual_->add_initial({Level::value, "", c, exact});
      for (const char* side : {"left", "right", "bottom", "top"})
        if (c >= 2 || side != std::string("top")) residual_->add_dirichlet({side, c, exact});
    }
    residual_->finish();
  }

  /// Through `end` in equal steps. Throws where a step fails.
  void march(TimeScheme::Kind kind, int steps) {
    MarchOptions options;
    options.newton.rtol = 1e-11;
    std::vector<double> times;
    for (int k = 0; k <= steps; ++k) times.push_back(end * k / steps);
    case_ = std::make_unique<TransientCase>("layers", residual_, std::make_shared<LinearSolver>(PETSC_COMM_WORLD), TimeScheme(kind, 1), times, options);
    const ProcessReport report = case_->run(residual_->control_values());
    if (!report.ok) throw std::runtime_error(report.reason);
    case_->with_state(steps, [&](const EvaluationPoint& u) {
      state_ = dofs_->create_vector();
      check(VecCopy(u, state_));
    });
  }
  /// L² norms at the end of the errors of velocity, displacement, pressure, or of the difference to another march.
  std::array<double, 3> errors() const { return distance(state_, [](int c, const double* x) { return Exact::value(c, Exact::at(x, end)); }); }
  std::array<double, 3> difference(const InteractingLayers& other) const {
    VecHandle apart = dofs_->create_vector();
    check(VecWAXPY(apart, -1, other.state_, state_));
    return distance(apart, [](int, const double*) { return 0.0; });
  }

 private:
  static constexpr double end = 0.5;

  /// The unit square with cells bent inside of both layers.
  static Mesh layers(Shape shape, int n, int order) {
    Mesh mesh = test::warped(make_rectangle(0, 0, 1, 1, n, n, shape, order, "all"), [](double* x) {
      const double bump = std::sin(std::numbers::pi * x[0]) * std::sin(2 * std::numbers::pi * x[1]);
      x[0] += 0.05 * bump;
      x[1] += 0.03 * bump;
    });
    mark_cells(mesh, "body", [](double, double y, double) { return y < 0.5; });
    mark_cells(mesh, "fluid", [](double, double y, double) { return y > 0.5; });
    return mesh;
  }
  std::array<double, 3> distance(Vec u, const std::function<double(int, const double*)>& exact) const {
    std::array<double, 3> sum{};
    test::for_each_point(*dofs_, u, 7, [&](const test::CellPoint& p, double w) {
      for (int c = 0; c < 5; ++c)
        if (c < 4 || !Exact::in_body(p.x[1])) sum[c / 2] += w * std::pow(p.value[c] - exact(c, p.x.data()), 2);
    });
    for (double& s : sum) s = std::sqrt(test::sum_over_ranks(s, dofs_->comm()));
    return sum;
  }

  CellBatches cells(const std::string& region, std::vector<int> components) const { return CellBatches::on_cells(dofs_, region, 6, std::move(components)); }
  ControlledValue number(double v) { return {residual_->add_control({"number", ""}, {v}), {}}; }
  template <class F>
  ControlledValue field(F f) {
    return {residual_->add_control({"field", ""}, {1.0}), [f](const double* x, double t) { return f(Exact::at(x, t)); }, true, true};
  }
  template <class F>
  std::vector<ControlledValue> fields(F f) {
    std::vector<ControlledValue> both;
    for (int i = 0; i < 2; ++i) both.push_back(field([f, i](const auto& X) { return f(i, X); }));
    return both;
  }

  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  std::unique_ptr<TransientCase> case_;
  VecHandle state_;
};

constexpr const char* measured[] = {"velocity", "displacement", "pressure"};

// Steps of size h^(3/2), so that an error of second order in time falls like one of third order in space.
void expect_orders_in_space(Shape shape, const std::vector<std::array<int, 2>>& cells_and_steps) {
  std::vector<std::array<double, 3>> errors;
  for (const auto& [cells, steps] : cells_and_steps) {
    InteractingLayers layers(shape, cells);
    layers.march(TimeScheme::Kind::bdf2, steps);
    errors.push_back(layers.errors());
  }
  for (std::size_t k = 0; k + 1 < errors.size(); ++k)
    for (int q = 0; q < 3; ++q) {
      const double order = std::log2(errors[k][q] / errors[k + 1][q]) / std::log2(double(cells_and_steps[k + 1][0]) / cells_and_steps[k][0]);
      if (std::getenv("INVAR_PRINT")) std::printf("%s %d: %.3g to %.3g, order %.2f\n", measured[q], cells_and_steps[k][0], errors[k][q], errors[k + 1][q], order);
      EXPECT_GT(order, (q == 2 ? 2 : 3) - 0.1) << measured[q] << ": " << errors[k][q] << ", " << errors[k + 1][q];
    }
}

TEST(InteractionConvergence, OrdersInSpaceWithAMovingInterface) { expect_orders_in_space(Shape::triangle, {{4, 30}, {8, 85}}); }
// Stabilised flow beside a body of linear elements: order 2, of the pressure 3/2 where the domain has boundaries.
void expect_orders_of_stabilised_flow(Shape shape, const std::array<int, 2>& cells) {
  std::array<std::array<double, 3>, 2> errors;
  for (int k = 0; k < 2; ++k) {
    InteractingLayers layers(shape, cells[k], 1);
    layers.march(TimeScheme::Kind::bdf2, 2 * cells[k]);
    errors[k] = layers.errors();
  }
  for (int q = 0; q < 3; ++q) {
    const double order = std::log2(errors[0][q] / errors[1][q]);
    if (std::getenv("INVAR_PRINT")) std::printf("%s of linear elements: %.3g to %.3g, order %.2f\n", measured[q], errors[0][q], errors[1][q], order);
    EXPECT_GT(order, (q == 2 ? 1.5 : 2) - 0.1) << measured[q] << ": " << errors[0][q] << ", " << errors[1][q];
  }
}

TEST(InteractionConvergence, OrdersOfStabilisedFlow) { expect_orders_of_stabilised_flow(Shape::quadrilateral, {12, 24}); }
TEST(InteractionConvergence, OrdersOfStabilisedFlowOnFinerTriangles) { expect_orders_of_stabilised_flow(Shape::triangle, {36, 72}); }

TEST(InteractionConvergence, OrdersInSpaceOnFinerMeshes) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) expect_orders_in_space(shape, {{8, 85}, {16, 240}});
}

// On one mesh: differences between marches whose steps are halved.
void expect_second_order_in_time(TimeScheme::Kind kind) {
  std::vector<std::unique_ptr<InteractingLayers>> marches;
  for (const int steps : {40, 80, 160}) {
    marches.push_back(std::make_unique<InteractingLayers>(Shape::triangle, 4));
    marches.back()->march(kind, steps);
  }
  const auto coarse = marches[1]->difference(*marches[0]), fine = marches[2]->difference(*marches[1]);
  for (int q = 0; q < 3; ++q) {
    const double order = std::log2(coarse[q] / fine[q]);
    if (std::getenv("INVAR_PRINT")) std::printf("%s in time: %.3g to %.3g, order %.2f\n", measured[q], coarse[q], fine[q], order);
    EXPECT_NEAR(order, 2, 0.15) << measured[q] << ": " << coarse[q] << ", " << fine[q];
  }
}

TEST(InteractionConvergence, OrderInTimeWithAMovingInterface) { expect_second_order_in_time(TimeScheme::Kind::bdf2); }
TEST(InteractionConvergence, OrderInTimeOfGeneralisedAlpha) { expect_second_order_in_time(TimeScheme::Kind::generalised_alpha); }
// On a mesh that moves the constraint depends on time, and pressures of the stages have the order of these.
TEST(InteractionConvergence, OrderInTimeOfStages) { expect_second_order_in_time(TimeScheme::Kind::sdirk2); }

}  // namespace
}  // namespace invar
