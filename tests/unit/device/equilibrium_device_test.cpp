// A static solid in space, forward and reverse, with the forms on a device: Newton's method, the adjoint and the gradients to moduli of
// cells, to a number and to coordinates against those of the host.
#include "libadjoint/linearization.hpp"
#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/guarded_device.hpp"
#include "tests/unit/device/vector_entries.hpp"

namespace invar::device_test {
namespace {

/// What a solve and its reverse give.
struct Equilibrium {
  int newton_steps = 0;
  long in_newton = 0, in_reverse = 0;  // accesses of the host to vectors
  double energy = 0;
  Array u, lambda;
  Controls gradient;
};

/// A clamped block of bent tetrahedra under a traction and a pressure that follows; J = Σ w u with weights w between −1 and 1.
Equilibrium solve(const std::shared_ptr<Device>& device) {
  const auto mesh = std::make_shared<const Mesh>(test::distorted_block(Shape::tetrahedron, 2, true));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"u_z", 2}}, PETSC_COMM_SELF);
  FormResidual residual(dofs);
  int n_cells = 0;
  for (const CellBlock& block : mesh->cells) n_cells += block.count();
  Array moduli(n_cells);
  for (int i = 0; i < n_cells; ++i) moduli[i] = 10 + 3 * std::sin(i);
  const int young = residual.add_control({.name = "young", .layout = ControlLayout::cells}, moduli);
  const int poisson = residual.add_control({.name = "poisson"}, {0.3}), zero = residual.add_control({.name = "zero"}, {0.0});
  const int pull = residual.add_control({.name = "pull"}, {1.5}), pressure = residual.add_control({.name = "pressure"}, {0.4});
  residual.add_coordinates();

  const auto of = [](int control) {
    ControlledValue value;
    value.control = control;
    return value;
  };
  const auto add = [&](std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values) {
    if (device) form = take_listed(std::move(form), device);
    residual.add_form(std::move(form), std::move(values));
  };
  const CellBatches cells = CellBatches::on_cells(dofs, "", 4), right = CellBatches::on_facets(dofs, "right", 4), top = CellBatches::on_facets(dofs, "top", 4);
  add(make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), cells), {of(young), of(poisson)});
  add(make_traction(SolidKind::spatial, right), {of(pull), of(zero), of(zero)});
  add(make_follower_pressure(SolidKind::spatial, top), {of(pressure)});
  for (int c = 0; c < 3; ++c) residual.add_dirichlet({"left", c, of(zero)});
  residual.finish();
  if (device) residual.store_like(create_device_vector(device, dofs->n_owned()));

  Equilibrium found;
  const auto accesses = [&] { return device ? device->host_accesses() : 0; };
  const Setting given = residual.given(1);
  VecHandle u = residual.create_vector();
  residual.impose_constraints(given, u);
  LinearSolver solver(PETSC_COMM_SELF, {.method = "mumps"});
  ResidualSystem system(residual, given);
  long before = accesses();
  const NewtonReport report = Newton(solver, {.rtol = 1e-12}).solve(system, u, 1.0);
  EXPECT_TRUE(report.converged) << report.reason;
  found.in_newton = accesses() - before;
  found.newton_steps = report.iterations;

  found.u = entries_of(u);
  found.energy = residual.form_value(0, {u, given});
  VecHandle u_bar = zeros_like(u), lambda = zeros_like(u);
  Array weights(dofs->n_owned());
  for (int i = 0; i < dofs->n_owned(); ++i) weights[i] = std::sin(3 * i);
  set_entries(u_bar, weights);
  before = accesses();
  Linearization linear(residual, solver, {u, given});
  const SolveReport adjoint = linear.solve_adjoint(u_bar, lambda);
  EXPECT_TRUE(adjoint.converged) << adjoint.reason;
  found.lambda = entries_of(lambda);
  for (const auto& values : *given.controls) found.gradient.emplace_back(values.size(), 0.0);
  residual.vjp({u, given}, lambda, {}, &found.gradient);
  found.in_reverse = accesses() - before;
  return found;
}

TEST(EquilibriumDevice, SolveAndGradientAreThoseOfTheHost) {
  const auto device = std::make_shared<GuardedDevice>();
  const Equilibrium host = solve(nullptr), emulated = solve(device), again = solve(device);
  EXPECT_GT(*std::ranges::max_element(host.u), 0.05) << "a large deformation";
  EXPECT_EQ(emulated.newton_steps, host.newton_steps);
  EXPECT_EQ(emulated.in_newton, 2 * emulated.newton_steps) << "right-hand side and solution of each solve on the host";
  EXPECT_EQ(emulated.in_reverse, 2 + 1) << "and the copy of λ for this test";
  EXPECT_NEAR(emulated.energy, host.energy, 1e-10 * host.energy);
  EXPECT_LE(difference(emulated.u, host.u), 1e-10);
  EXPECT_LE(difference(emulated.lambda, host.lambda), 1e-9);
  for (std::size_t k = 0; k < host.gradient.size(); ++k) EXPECT_LE(difference(emulated.gradient[k], host.gradient[k]), 1e-9) << "control " << k;
  EXPECT_EQ(again.u, emulated.u) << "the same bits each time";
  EXPECT_EQ(again.gradient, emulated.gradient);
}

}  // namespace
}  // namespace invar::device_test
