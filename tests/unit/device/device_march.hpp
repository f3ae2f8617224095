#pragma once
#include "libfem/device/device_matrix.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/vector_entries.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

// Marches in time on a device or on the host, with their reverse sweeps.

namespace invar::device_test {

/// What is marched: an equation, and a quantity of its state.
struct Process {
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<Observable> observed;
  std::span<const DeviceKind> kinds;
  int order;  // of the equation in time
};

/// How it is marched.
struct MarchSetup {
  int steps = 6;
  const char* method = "mumps";
  bool matrix_there = false;  // values of the matrix on the device
};

/// A strip that is moved at its left end, from an initial state in motion.
inline Process swinging_strip() {
  gradient_test::MovingSolid body(SolidKind::plane_strain, make_rectangle(0, 0, 1, 0.25, 4, 1, Shape::triangle, 2), 2, "neo_hookean", 100, 0.3, 2);
  FormResidual& residual = *body.residual;
  ControlledValue shaken = body.number("shaken", 0.1), speed = body.number("speed", 0.5);
  shaken.shape = [](const double*, double t) { return t * t; };
  shaken.varies_in_time = true;
  speed.shape = [](const double* x, double) { return x[0] * x[0]; };
  speed.varies_in_space = true;
  residual.add_dirichlet({"left", 0, body.number("zero", 0)});
  residual.add_dirichlet({"left", 1, shaken});
  residual.add_initial({Level::rate, "", 1, speed});
  residual.add_coordinates();
  residual.finish();
  return {body.residual, body.point({1, 0.25}, 1), solid_device_forms(), 2};
}

/// Flow into a channel that begins at rest.
inline Process growing_flow() {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::triangle, 2), PETSC_COMM_SELF));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"p", 1}}, PETSC_COMM_SELF);
  const auto residual = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double v) { return ControlledValue{residual->add_control({name, ""}, {v}), {}}; };
  const auto cells = [&] { return CellBatches::on_cells(dofs, "", 5); };
  const ControlledValue zero = number("zero", 0), viscosity = number("viscosity", 0.05), density = number("density", 1.3);
  ControlledValue inflow = number("inflow", 1.5);
  inflow.shape = [](const double* x, double t) { return t * x[1] * (1 - x[1]) * (1 + x[1]); };
  inflow.varies_in_space = inflow.varies_in_time = true;
  residual->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, {}, cells()), {density, viscosity, zero, zero, zero});
  residual->add_form(make_flow_inertia(FlowKind::planar, cells()), {density}, {.linear = true});
  residual->add_form(make_pressure_outlet(FlowKind::planar, CellBatches::on_facets(dofs, "right", 4)), {number("p", 0.1)});
  for (const char* wall : {"bottom", "top"})
    for (int i = 0; i < 2; ++i) residual->add_dirichlet({wall, i, zero});
  residual->add_dirichlet({"left", 0, inflow});
  residual->add_dirichlet({"left", 1, zero});
  residual->set_algebraic({2});
  residual->add_coordinates();
  residual->finish();
  std::vector<double> distance;
  return {residual, make_point_samples(dofs, {{{1, 0.5}, 2}}, distance, Level::value), flow_device_forms(), 1};
}

/// What a march and its reverse sweep give, and ask of the host.
struct March {
  Array end;
  Controls gradient;
  int solves = 0, adjoint_solves = 0;
  long in_march = 0, in_sweep = 0;
};

/// J: the quantity at the end and once on the way.
inline March march(const Process& process, const std::shared_ptr<Device>& device, TimeScheme::Kind kind, MarchOptions options = {}, const MarchSetup& setup = {}) {
  FormResidual& residual = *process.residual;
  residual.impose_constraints(residual.given(), residual.create_vector());  // what was made on the host before is made anew
  if (device) move_to_device(residual, process.kinds, device);
  if (device && setup.matrix_there) keep_matrix_on_device(residual, device);
  const int steps = setup.steps;
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(0.3 * k / steps);
  options.newton.rtol = 1e-10;
  TransientCase motion("motion", process.residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = setup.method}),
                       TimeScheme(kind, process.order), times, options);
  motion.terms().push_back({"observed", process.observed, {2, steps}});

  March found;
  const auto accesses = [&] { return device ? device->host_accesses() : 0; };
  long before = accesses();
  const ProcessReport report = motion.run(residual.control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  found.in_march = accesses() - before;
  found.solves = static_cast<int>(motion.march_report().linear_solves);
  motion.with_state(steps, [&](const EvaluationPoint& u) { found.end = entries_of(u); });
  for (const auto& values : residual.control_values()) found.gradient.emplace_back(values.size(), 0.0);
  const Seed seed{nullptr, &found.gradient};
  before = accesses();
  const SolveReport sweep = motion.gradients({&seed, 1});
  EXPECT_TRUE(sweep.converged) << sweep.reason;
  found.in_sweep = accesses() - before;
  found.adjoint_solves = motion.march_report().adjoint_solves;
  return found;
}

inline void expect_same(const March& a, const March& b) {
  EXPECT_GT(*std::ranges::max_element(b.end), 0.02);
  EXPECT_LE(difference(a.end, b.end), 1e-9);
  for (std::size_t k = 0; k < b.gradient.size(); ++k) EXPECT_LE(difference(a.gradient[k], b.gradient[k]), 1e-9) << "control " << k;
}

}  // namespace invar::device_test
