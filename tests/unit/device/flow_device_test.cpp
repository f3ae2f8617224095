// Flows on a device: Taylor–Hood and equal order, what a boundary and what time adds.
#include "libfluid/flow/flow_boundary_forms.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/navier_stokes.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {
namespace {

std::vector<Component> taylor_hood() { return {{"u_x", 2}, {"u_y", 2}, {"p", 1}}; }
std::vector<Component> equal_order() { return {{"u_x", 1}, {"u_y", 1}, {"p", 1}}; }

TEST(FlowDevice, NavierStokesIsThatOfTheHost) {
  FlowModel model;
  model.law.kind = ViscosityLaw::Kind::carreau;
  model.stress_form = true;
  model.grad_div = 0.3;
  expect_same_as_host(listed_case<NavierStokes<PlanarFlow, false>>("Taylor-Hood", Domain::cells, taylor_hood(),
                                {1.2, 0.5, 0.1, 0.7, 0.6, 0.3, -0.4, 0.2},
                                [=](CellBatches on) { return make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model, std::move(on)); }));
}

TEST(FlowDevice, StabilisedFlowIsThatOfTheHost) {
  const FlowModel model;
  FormCase flow = form_case("equal order", NavierStokes<PlanarFlow, true>{model.law}, Domain::cells, equal_order(), {1.2, 0.5, 0.3, -0.4, 0.2},
                            [=](CellBatches on) { return make_navier_stokes(FlowKind::planar, FlowDiscretisation::equal_order, model, std::move(on)); });
  flow.on_device = [model, host = flow.on_host](CellBatches on, std::shared_ptr<Device> device) -> std::unique_ptr<WeakForm> {
    using Q = NavierStokes<PlanarFlow, true>;
    return std::make_unique<DeviceForm<Q>>(Q{model.law, true, false, shared_metric(on)}, on, std::move(device), host(on));
  };
  expect_same_as_host(flow);
}

TEST(FlowDevice, BoundariesAndInertiaAreThoseOfTheHost) {
  expect_same_as_host(listed_case<FlowTraction<PlanarFlow>>("traction", Domain::facets, taylor_hood(), {1, 2},
                                [](CellBatches on) { return make_flow_traction(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(listed_case<PressureOutlet<PlanarFlow>>("outlet", Domain::facets, taylor_hood(), {2},
                                [](CellBatches on) { return make_pressure_outlet(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(form_case("backflow", BackflowStabilisation<PlanarFlow>{}, Domain::facets, taylor_hood(), {1.2, 0.8},
                                [](CellBatches on) { return make_backflow_stabilisation(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(form_case("slip", SlipPenalty<PlanarFlow>{}, Domain::facets, taylor_hood(), {20, 0.8},
                                [](CellBatches on) { return make_slip_penalty(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(listed_case<LinearisedConvection<PlanarFlow>>("convection", Domain::cells, taylor_hood(), {1.2},
                                [](CellBatches on) { return make_linearised_convection(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(listed_case<FlowInertia<PlanarFlow>>("inertia", Domain::cells, taylor_hood(), {1.2},
                                [](CellBatches on) { return make_flow_inertia(FlowKind::planar, std::move(on)); }));
}

}  // namespace
}  // namespace invar::device_test
