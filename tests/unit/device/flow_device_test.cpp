// Forms of flows that are in no list of the libraries: equal order, and what an open boundary and a slip wall add.
#include "libfluid/flow/flow_boundary_forms.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/navier_stokes.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {
namespace {

std::vector<Component> planar_flow(int order_of_velocity) { return {{"u_x", order_of_velocity}, {"u_y", order_of_velocity}, {"p", 1}}; }

TEST(FlowDevice, StabilisedFlowIsThatOfTheHost) {
  const FlowModel model;
  FormCase flow = form_case("equal order", NavierStokes<PlanarFlow, true>{model.law}, Domain::cells, planar_flow(1), {1.2, 0.5, 0.3, -0.4, 0.2},
                            [=](CellBatches on) { return make_navier_stokes(FlowKind::planar, FlowDiscretisation::equal_order, model, std::move(on)); });
  flow.on_device = [model, host = flow.on_host](CellBatches on, std::shared_ptr<Device> device) -> std::unique_ptr<WeakForm> {
    using Q = NavierStokes<PlanarFlow, true>;
    return std::make_unique<DeviceForm<Q>>(Q{model.law, true, false, shared_metric(on)}, on, std::move(device), host(on));
  };
  expect_same_as_host(flow);
}

TEST(FlowDevice, BoundariesAreThoseOfTheHost) {
  expect_same_as_host(form_case("backflow", BackflowStabilisation<PlanarFlow>{}, Domain::facets, planar_flow(2), {1.2, 0.8},
                                [](CellBatches on) { return make_backflow_stabilisation(FlowKind::planar, std::move(on)); }));
  expect_same_as_host(form_case("slip", SlipPenalty<PlanarFlow>{}, Domain::facets, planar_flow(2), {20, 0.8},
                                [](CellBatches on) { return make_slip_penalty(FlowKind::planar, std::move(on)); }));
}

}  // namespace
}  // namespace invar::device_test
