// Flow by pressure correction against the coupled scheme, step by step and over whole processes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/open_boundary.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/solve/corrected_flow.hpp"

namespace invar {
namespace {

using Kind = TimeScheme::Kind;

int box_ranks() {
  int n;
  MPI_Comm_size(PETSC_COMM_WORLD, &n);
  return n;
}

/// Fluid in a square, driven by a force that increases from zero. Its right side is open to a pressure that varies in time, or all sides
/// are walls.
struct StirredBox {
  std::shared_ptr<CorrectedFlow> r;
  bool correction, open, blocks;
  int viscosity, force, pressure = -1;

  StirredBox(bool correction, bool open, int cells, bool blocks = false) : correction(correction), open(open), blocks(blocks) {
    const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, cells, cells, Shape::triangle, 2), PETSC_COMM_WORLD));
    std::vector<Component> components{{"u_x", 2}, {"u_y", 2}, {"p", 1}};
    if (correction) components.push_back({"phi", 1});
    const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_WORLD);
    r = std::make_shared<CorrectedFlow>(dofs);
    const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
    const ControlledValue density = number("density", 1.2), mu = number("viscosity", 0.05), zero = number("zero", 0);
    ControlledValue fx = number("force", 20), fy = fx;
    viscosity = mu.control, force = fx.control;
    fx.shape = [](const double* x, double t) { return std::sin(3 * t) * x[1] * (1 - x[0]); };
    fy.shape = [](const double* x, double t) { return std::sin(3 * t) * std::sin(std::numbers::pi * x[0]); };
    fx.varies_in_space = fx.varies_in_time = fy.varies_in_space = fy.varies_in_time = true;
    const FlowModel model{make_viscosity_law("newtonian"), false, false};
    const auto on_cells = [&] { return CellBatches::on_cells(dofs, "", 5); };
    const std::vector<ControlledValue> values{density, mu, fx, fy, zero};
    if (correction) {
      r->add_form(make_corrected_momentum(FlowKind::planar, model, on_cells()), values, {.linear = true, .loads = {2, 3}});
      r->add_form(make_pressure_correction(FlowKind::planar, model, on_cells()), {density, mu}, {.linear = true});
      r->set_potential(3);
    } else {
      r->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model, on_cells()), values);
    }
    r->add_form(make_flow_inertia(FlowKind::planar, on_cells()), {density}, {.linear = true});
    const int carried = r->add_form(make_linearised_convection(FlowKind::planar, on_cells()), {density});
    if (blocks) r->solve_by_blocks(FlowKind::planar, {{carried, "", 5}}, 2, 3);
    for (const char* side : {"left", "bottom", "top", "right"})
      if (!open || std::string(side) != "right")
        for (int i = 0; i < 2; ++i) r->add_dirichlet({side, i, zero});
    if (!open) r->add_dirichlet({"left_bottom", correction ? 3 : 2, zero});
    if (open) {
      ControlledValue outside = number("outside", 3);
      outside.shape = [](const double* x, double t) { return std::sin(4 * t) * (1 + x[1]); };
      outside.varies_in_space = outside.varies_in_time = true;
      pressure = outside.control;
      r->add_form(make_pressure_outlet(FlowKind::planar, CellBatches::on_facets(dofs, "right", 5)), {outside}, {.linear = true, .loads = {0}});
      if (correction) r->add_dirichlet({.region = "", .component = 3, .value = outside, .nodes = open_boundary(*r)});
    }
    r->set_algebraic({2});
    r->finish();
    r->add_coordinates();
  }

  std::unique_ptr<TransientCase> march(double end, int steps, MarchOptions options = {}) const {
    LinearSolverOptions linear;
    linear.method = blocks ? "auto" : "mumps";
    linear.rtol = blocks ? 1e-12 : 1e-13;
    options.newton.rtol = 1e-12;
    options.newton.min_iterations = 1;
    std::vector<double> times(steps + 1);
    for (int k = 0; k <= steps; ++k) times[k] = end * k / steps;
    return std::make_unique<TransientCase>("box", r, std::make_shared<LinearSolver>(PETSC_COMM_WORLD, linear),
                                           TimeScheme(correction ? Kind::pressure_correction : Kind::bdf2, 1), times, options);
  }

  /// Velocities and pressures at the nodes of the serial mesh at the end, on one process.
  std::array<std::vector<double>, 2> end_state(double end, int steps) const {
    const auto process = march(end, steps);
    const ProcessReport report = process->run(r->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    std::array<std::vector<double>, 2> fields;
    process->with_state(steps, [&](const EvaluationPoint& u) {
      const LocalArray a(u.levels[Level::value]);
      const DofMap& dofs = r->dofs();
      for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
        for (int c = 0; c < 3; ++c)
          if (const int dof = dofs.dof(node, c); dof >= 0) fields[c == 2].push_back(a.data()[dof]);
    });
    return fields;
  }
};

/// Derivatives on all ranks: of numbers the sum of the ranks' shares, of coordinates by the nodes of the serial mesh,
/// whatever the partition is.
std::vector<double> on_all_ranks(const StirredBox& box, int control, const std::vector<double>& here) {
  const Mesh& mesh = box.r->dofs().mesh();
  std::vector<double> all = here;
  if (control == box.r->coordinates_control()) {
    long long nodes = mesh.n_owned_nodes;
    MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_LONG_LONG, MPI_SUM, PETSC_COMM_WORLD);
    all.assign(2 * static_cast<std::size_t>(nodes), 0.0);
    for (int node = 0; node < mesh.n_owned_nodes; ++node)
      for (int i = 0; i < 2; ++i) all[2 * static_cast<std::size_t>(mesh.original_node[node]) + i] = here[2 * static_cast<std::size_t>(node) + i];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return all;
}

double rms_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// The coupled scheme of a step many times smaller is the other method. Theory promises orders of 2 in the velocity and
// 3/2 in the pressure between walls, without corners; 3/2 and 1 where the flow is open (Guermond, Minev, Shen 2006).
TEST(PressureCorrection, HasItsOrderInTime) {
  if (box_ranks() > 1) GTEST_SKIP();
  constexpr double end = 1;
  for (const bool open : {false, true}) {
    SCOPED_TRACE(open ? "open" : "walls");
    const auto exact = StirredBox(false, open, 5).end_state(end, 640);
    std::array<double, 2> before{};
    for (const int steps : {20, 40, 80}) {
      const auto state = StirredBox(true, open, 5).end_state(end, steps);
      const std::array<double, 2> error{rms_distance(state[0], exact[0]), rms_distance(state[1], exact[1])};
      if (steps == 80) {
        EXPECT_GT(std::log2(before[0] / error[0]), open ? 1.2 : 1.85) << error[0];
        EXPECT_GT(std::log2(before[1] / error[1]), open ? 0.9 : 1.2) << error[1];
      }
      before = error;
    }
  }
}

// Open and closed parts of the boundary.
TEST(PressureCorrection, FindsTheOpenBoundary) {
  for (const bool open : {false, true}) {
    const StirredBox box(true, open, 4);
    const Mesh& mesh = box.r->dofs().mesh();
    std::vector<char> found(mesh.node_total(), 0);
    for (const int node : open_boundary(*box.r)) found[node] = 1;
    for (int node = 0; node < mesh.node_total(); ++node)
      EXPECT_EQ(found[node] != 0, open && mesh.coordinates[2 * node] > 1 - 1e-9) << mesh.coordinates[2 * node] << " " << mesh.coordinates[2 * node + 1];
  }
}

// Order velocity, potential, pressure: no block depends on a later one.
TEST(PressureCorrection, TangentIsBlockTriangular) {
  if (box_ranks() > 1) GTEST_SKIP();
  const StirredBox box(true, true, 3);
  VecHandle x = box.r->create_vector();
  check(VecSet(x, 0.3));
  StepResidual step(*box.r, 2);
  const TimeScheme scheme(Kind::pressure_correction, 1);
  const History history = step.create_history();
  step.set_step(scheme.step(0.1, 0.05, 0.05), history);
  step.jacobian({x, box.r->given()}, 1.0);
  const DofMap& dofs = box.r->dofs();
  std::vector<int> order(dofs.n_local());  // of a component: u 0, φ 1, p 2
  for (int node = 0; node < dofs.mesh().node_total(); ++node)
    for (int k = 0; k < dofs.dof_count(node); ++k) {
      const int c = dofs.component_at(node, k);
      order[dofs.first_dof(node) + k] = c < 2 ? 0 : c == 3 ? 1 : 2;
    }
  double below = 0;
  for (PetscInt row = 0; row < dofs.n_owned(); ++row) {
    PetscInt n;
    const PetscInt* columns;
    const PetscScalar* values;
    check(MatGetRow(box.r->matrix(), row, &n, &columns, &values));
    for (PetscInt k = 0; k < n; ++k) {
      if (order[columns[k]] > order[row]) {
        EXPECT_EQ(values[k], 0);
      }
      if (order[columns[k]] < order[row]) below += std::abs(values[k]);
    }
    check(MatRestoreRow(box.r->matrix(), row, &n, &columns, &values));
  }
  EXPECT_GT(below, 0.1);
}

// ⟨λ, ∂r/∂(x, h) (ẋ, ḣ)⟩ and what the step leaves, forward against reverse, of a first step and of one of another
// length.
TEST(PressureCorrection, StepAgreesWithItsTranspose) {
  const StirredBox box(true, true, 4);
  const DofMap& dofs = box.r->dofs();
  const auto random = [&](double seed) {
    VecHandle v = box.r->create_vector();
    double* a = nullptr;
    check(VecGetArray(v, &a));
    for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
      for (int k = 0; k < dofs.dof_count(node); ++k)
        a[dofs.first_dof(node) + k] = std::sin(seed + 1.7 * k + 12.9 * static_cast<double>(dofs.mesh().original_node[node]));
    check(VecRestoreArray(v, &a));
    return v;
  };
  const auto dot = [](Vec a, Vec b) {
    double s = 0;
    check(VecDot(a, b, &s));
    return s;
  };
  StepResidual step(*box.r, 2);
  const TimeScheme scheme(Kind::pressure_correction, 1);
  for (const double before : {0.0, 0.03}) {
    History h, h_dot, next_dot = step.create_history(), next_bar, h_bar = step.create_history();
    for (int i = 0; i < 2; ++i) h.push_back(random(i + 1)), h_dot.push_back(random(i + 5)), next_bar.push_back(random(i + 8));
    const VecHandle x = random(3), x_dot = random(4), lambda = random(7);
    VecHandle r_dot = box.r->create_vector(), h_r_dot = box.r->create_vector(), x_bar = box.r->create_vector();
    const EvaluationPoint at{x, box.r->given()};
    Controls d_bar(box.r->controls().size());
    step.set_step(scheme.step(0.1, 0.05, before), h);
    step.jvp(at, x_dot, nullptr, r_dot);
    step.history_jvp(at, h_dot, nullptr, h_r_dot);
    step.advance_jvp(at, x_dot, h_dot, nullptr, next_dot);
    double forward = dot(r_dot, lambda) + dot(h_r_dot, lambda), size = std::abs(forward);
    for (int i = 0; i < 2; ++i) forward += dot(next_dot[i], next_bar[i]);
    step.vjp(at, lambda, x_bar, nullptr);
    step.advance_vjp(at, next_bar, x_bar, h_bar, d_bar);
    step.full_vjp(at, lambda, nullptr, h_bar, d_bar);
    double reverse = dot(x_bar, x_dot);
    for (int i = 0; i < 2; ++i) reverse += dot(h_bar[i], h_dot[i]);
    EXPECT_NEAR(forward, reverse, 1e-12 * std::max(size, std::abs(forward))) << before;
    EXPECT_GT(std::abs(dot(h_r_dot, lambda)), 1e-3);
  }
}

// Of the whole matrix by factors of each step, with room for few states, and with factors kept; block by block, the
// same. With few states the same bits.
TEST(PressureCorrection, GivesTheSameGradientHoweverItIsSolvedFor) {
  constexpr int steps = 12;
  struct Way {
    bool blocks = false, few = false;
    int interval = 1;
  };
  const std::array<Way, 5> ways{{{}, {.few = true}, {.interval = 4}, {.blocks = true}, {.blocks = true, .few = true}}};
  std::array<Controls, 5> gradients;
  double values[5];
  std::array<int, 4> wanted;
  for (const int k : {0, 1, 2, 3, 4}) {
    const StirredBox box(true, true, 4, ways[k].blocks);
    wanted = {box.viscosity, box.force, box.pressure, box.r->coordinates_control()};
    MarchOptions options;
    PetscInt n = 0;
    check(VecGetLocalSize(box.r->create_vector(), &n));
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD);
    if (ways[k].few) options.storage.ram_bytes = 3 * (2 * static_cast<std::size_t>(n) + 1) * sizeof(double);
    options.factor_interval = ways[k].interval;
    const auto process = box.march(0.6, steps, options);
    process->terms().push_back({"force", Reaction::force(box.r, "top", {1, 0.3}), {steps / 2, steps}});
    ASSERT_TRUE(process->run(box.r->control_values()).ok);
    EXPECT_EQ(process->march_report().keeps_all, !ways[k].few);
    values[k] = process->value();
    gradients[k].assign(box.r->controls().size(), {});
    for (const int c : wanted) gradients[k][c].assign(box.r->control_values()[c].size(), 0.0);
    ASSERT_TRUE(process->gradient(gradients[k]).converged);
    EXPECT_LE(process->march_report().largest_adjoint_residual(), ways[k].blocks ? 1e-12 : 1e-13);
    for (const int c : wanted) gradients[k][c] = on_all_ranks(box, c, gradients[k][c]);
  }
  for (const auto& [all, few] : {std::pair{0, 1}, {3, 4}}) {
    if (box_ranks() > 1) break;  // MUMPS sums in another order every time
    EXPECT_EQ(values[all], values[few]);
    EXPECT_EQ(gradients[all], gradients[few]);
  }
  for (const int k : {1, 2, 3, 4})
    for (const int c : wanted) {
      double size = 0;
      for (const double v : gradients[0][c]) size = std::max(size, std::abs(v));
      EXPECT_GT(size, 1e-3);
      for (std::size_t i = 0; i < gradients[0][c].size(); ++i) EXPECT_NEAR(gradients[k][c][i], gradients[0][c][i], 1e-9 * size) << k << " " << i;
    }
}

TEST(PressureCorrection, IsForEquationsWrittenForIt) {
  const StirredBox coupled(false, true, 3), corrected(true, true, 3);
  LinearSolverOptions linear;
  const auto make = [&](const StirredBox& box, Kind kind) {
    return TransientCase("box", box.r, std::make_shared<LinearSolver>(PETSC_COMM_WORLD, linear), TimeScheme(kind, 1), {0, 1}, {});
  };
  EXPECT_THROW(make(coupled, Kind::pressure_correction), std::invalid_argument);
  EXPECT_THROW(make(corrected, Kind::bdf2), std::invalid_argument);
  EXPECT_THROW(TimeScheme(Kind::pressure_correction, 2), std::invalid_argument);
  FlowModel implicit;
  EXPECT_THROW(make_corrected_momentum(FlowKind::planar, implicit, CellBatches::on_cells(coupled.r->dof_map(), "", 5)), std::invalid_argument);
}

}  // namespace
}  // namespace invar
