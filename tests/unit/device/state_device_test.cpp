// States on a device: operations on rows, and a march in time with its reverse sweep: the host's results, and which accesses of the host to
// vectors remain.
#include <filesystem>

#include "libadjoint/row_set.hpp"
#include "libadjoint/vector_methods.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/guarded_device.hpp"
#include "tests/unit/device/vector_entries.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

namespace invar::device_test {
namespace {

VecHandle on_host(const Array& values) { return with_entries(host_vector(static_cast<PetscInt>(values.size())), values); }
VecHandle on_device(const std::shared_ptr<Device>& device, const Array& values) {
  VecHandle v = create_device_vector(device, static_cast<PetscInt>(values.size()));
  copy_entries(on_host(values), v);
  return v;
}

TEST(StateDevice, OperationsOnRowsAreThoseOfTheHost) {
  constexpr int n = 300;
  const auto device = make_device(Device::Kind::watched);
  std::vector<int> numbers;
  for (int i = 0; i < n; i += 1 + i % 3) numbers.push_back(i);
  const RowSet rows(numbers);
  Array a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = std::sin(i), b[i] = std::cos(3 * i);
  Array broken = b;
  for (const int row : rows) broken[row] = NAN;
  const VecHandle x = on_host(a), y = on_host(b), z = on_host(broken), dx = on_device(device, a), dy = on_device(device, b), dz = on_device(device, broken);
  const long before = device->host_accesses();
  const auto agree = [&](Vec host, Vec other) {
    const long now = device->host_accesses();
    EXPECT_EQ(entries_of(other), entries_of(host));
    EXPECT_EQ(device->host_accesses(), now + 1);
  };
  for (const auto& [p, q, r] : {std::tuple<Vec, Vec, Vec>(x, y, z), std::tuple<Vec, Vec, Vec>(dx, dy, dz)}) {
    rows.add(0.7, p, q);
    rows.combine(-2, p, 0, r);  // where r is not a number
    rows.combine(0, nullptr, 0.5, p);
    rows.clear(q);
    Array few(rows.size());
    rows.read(r, few.data());
    rows.write(few.data(), q);
    rows.add(1, p, q);
  }
  EXPECT_NEAR(rows.squares(dx), rows.squares(x), 1e-13);
  EXPECT_NEAR(rows.squares_of_others(dx), rows.squares_of_others(x), 1e-13);
  EXPECT_TRUE(equal(dx, dx));
  EXPECT_FALSE(equal(dx, dy));
  EXPECT_EQ(device->host_accesses(), before);
  agree(x, dx), agree(y, dy), agree(z, dz);
  check(VecAXPY(dx, 2, y));  // an operand on the host is copied, and the reverse
  check(VecAXPY(x, 2, dy));
  agree(x, dx);
  EXPECT_TRUE(device->conflicts().empty());
}

/// What is marched: an equation, and a quantity of its state.
struct Process {
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<Observable> observed;
  std::span<const DeviceKind> kinds;
  int order;  // of the equation in time
};

/// A strip that is moved at its left end, from an initial state in motion.
Process swinging_strip() {
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
Process growing_flow() {
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
March march(const Process& process, const std::shared_ptr<Device>& device, TimeScheme::Kind kind, MarchOptions options = {}) {
  FormResidual& residual = *process.residual;
  residual.impose_constraints(residual.given(), residual.create_vector());  // what was made on the host before is made anew
  if (device) move_to_device(residual, process.kinds, device);
  const int steps = 6;
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(0.05 * k);
  options.newton.rtol = 1e-10;
  TransientCase motion("motion", process.residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = "mumps"}),
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

void expect_same(const March& a, const March& b) {
  EXPECT_GT(*std::ranges::max_element(b.end), 0.02);
  EXPECT_LE(difference(a.end, b.end), 1e-9);
  for (std::size_t k = 0; k < b.gradient.size(); ++k) EXPECT_LE(difference(a.gradient[k], b.gradient[k]), 1e-9) << "control " << k;
}

// A direct solve on the host reads its right-hand side and writes its solution. The objective reads two states, and adds to two.
TEST(StateDevice, MarchAndSweepAskTheHostForDirectSolvesAndObjectivesOnly) {
  using enum TimeScheme::Kind;
  for (const auto& [process, kind] : {std::pair(&swinging_strip, newmark), std::pair(&swinging_strip, generalised_alpha), std::pair(&swinging_strip, bdf2),
                                      std::pair(&growing_flow, bdf2), std::pair(&growing_flow, sdirk2)}) {
    SCOPED_TRACE(testing::Message() << (process == &growing_flow ? "flow, " : "strip, ") << static_cast<int>(kind));
    const auto device = std::make_shared<GuardedDevice>();
    const March host = march(process(), nullptr, kind), found = march(process(), device, kind);
    expect_same(found, host);
    EXPECT_EQ(found.in_march, 2 * found.solves + 2);
    EXPECT_EQ(found.in_sweep, 2 * found.adjoint_solves + 2);
  }
}

// Steps that share factors solve by iterations, from guesses whose errors are estimated on the host: one more access per solve.
TEST(StateDevice, StepsThatShareFactorsAskForNoMore) {
  MarchOptions options;
  options.factor_interval = 3;
  for (const auto& [process, kind] : {std::pair(&swinging_strip, TimeScheme::Kind::newmark), std::pair(&growing_flow, TimeScheme::Kind::bdf2)}) {
    const auto device = std::make_shared<GuardedDevice>();
    const March host = march(process(), nullptr, kind, options), found = march(process(), device, kind, options);
    expect_same(found, host);
    EXPECT_EQ(found.in_march, 2 * found.solves + 2);
    EXPECT_GE(found.in_sweep, 2 * found.adjoint_solves + 2);
    EXPECT_LE(found.in_sweep, 3 * found.adjoint_solves + 2);
  }
}

TEST(StateDevice, GradientsDoNotDependOnWhereStatesAreKept) {
  const auto device = make_device(Device::Kind::emulation);
  const auto newmark = TimeScheme::Kind::newmark;
  const March all = march(swinging_strip(), device, newmark);
  const std::size_t state = 3 * all.end.size() * sizeof(double) + 8;
  MarchOptions some, mixed;
  some.storage.device_bytes = 3 * state, some.storage.ram_bytes = 0;
  mixed.storage.device_bytes = 3 * state, mixed.storage.ram_bytes = 2 * state, mixed.storage.disk_bytes = 100 * state;
  mixed.storage.folder = std::filesystem::temp_directory_path();
  for (const MarchOptions& options : {some, mixed}) {
    const March found = march(swinging_strip(), device, newmark, options);
    EXPECT_EQ(found.end, all.end);
    EXPECT_EQ(found.gradient, all.gradient);
  }
}

// The states of the cases of a run share what is left of one budget.
TEST(StateDevice, TrajectoriesShareABudget) {
  const auto device = make_device(Device::Kind::emulation);
  MarchState state;
  state.fields.push_back(on_device(device, Array(10, 0.5)));
  const std::size_t size = 10 * sizeof(double);
  Trajectory::Options options;
  options.device_budget = std::make_shared<ByteBudget>(3 * size);
  options.ram_bytes = 5 * size;
  auto first = std::make_unique<Trajectory>(PETSC_COMM_SELF, options);
  Trajectory second(PETSC_COMM_SELF, options);
  EXPECT_EQ(first->slots(state), 3 + 5);
  for (Trajectory* t : {first.get(), &second})
    for (int step = 0; step < 2; ++step) t->put(step, state);
  EXPECT_EQ(first->usage().device, 2 * size);
  EXPECT_EQ(second.usage().device, size);
  EXPECT_EQ(second.usage().ram, size);
  EXPECT_EQ(second.slots(state), 1 + 5);
  first.reset();
  EXPECT_EQ(second.slots(state), 3 + 5);
}

// Memory that ends within a solve.
TEST(StateDevice, WhatADeviceDoesNotHoldIsOnTheHost) {
  const auto newmark = TimeScheme::Kind::newmark;
  const auto all = make_device(Device::Kind::emulation);
  const March expected = march(swinging_strip(), all, newmark);
  const long long half = all->traffic().most_held / 2;
  const auto small = std::make_shared<Device>(Device::Kind::emulation, half);
  const March found = march(swinging_strip(), small, newmark);
  EXPECT_EQ(all->traffic().most_on_host, 0);
  EXPECT_GT(small->traffic().most_on_host, half / 2);
  EXPECT_LE(small->traffic().most_held, half);
  EXPECT_EQ(found.end, expected.end);
  EXPECT_EQ(found.gradient, expected.gradient);
  EXPECT_EQ(found.in_march, expected.in_march);
}

}  // namespace
}  // namespace invar::device_test
