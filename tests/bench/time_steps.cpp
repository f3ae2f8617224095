// Processes in time on one core, or with states and matrices on a device. F2 of the peers' table: a step of linearised-implicit BDF2 past a cylinder at
// Re 100. T1: a step of generalised-α of a neo-Hookean beam. Then the adjoint of the same march.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/open_boundary.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/solve/corrected_flow.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/on_device.hpp"

using namespace invar;

namespace {

std::vector<double> grid(double step, int n) {
  std::vector<double> t(n + 1);
  for (int k = 0; k <= n; ++k) t[k] = k * step;
  return t;
}

/// The objective and three constraints, by one reverse sweep after the march and by four.
void measure_constraints(TransientCase& process, FormResidual& r, const std::vector<int>& wanted, int steps) {
  std::vector<ProcessTerm> constraints(3, process.terms()[0]);
  for (int k = 0; k < 3; ++k) constraints[k].steps = {steps * (k + 1) / 4};
  std::vector<Controls> d_bars(4, Controls(r.controls().size()));
  std::vector<Seed> seeds{{nullptr, &d_bars[0]}};
  for (int k = 0; k < 3; ++k) seeds.push_back({&constraints[k], &d_bars[k + 1]});
  for (Controls& d_bar : d_bars)
    for (int k : wanted) d_bar[k].assign(r.control_values()[k].size(), 0.0);
  double seconds[2];
  long repeated[2] = {0, 0};
  const std::span<const Seed> all = seeds;
  for (const std::size_t at_once : {4, 1}) {
    if (!process.run(r.control_values()).ok) return;
    const double start = now();
    for (std::size_t k = 0; k < all.size(); k += at_once) {
      if (!process.gradients(all.subspan(k, at_once)).converged) return;
      repeated[at_once == 1] += process.march_report().repeated_steps;
    }
    seconds[at_once == 1] = now() - start;
  }
  std::printf("  objective and three constraints: %.2f s with %ld solves repeated in one sweep, %.2f s with %ld in four\n", seconds[0],
              repeated[0], seconds[1], repeated[1]);
}

/// Memory for so many states of the march; 0: for all.
Trajectory::Options room(const FormResidual& r, const TimeScheme& scheme, int states) {
  Trajectory::Options storage;
  PetscInt n = 0;
  check(VecGetLocalSize(r.create_vector(), &n));
  if (states > 0) storage.ram_bytes = states * ((scheme.history_size() + (scheme.stages() > 1)) * static_cast<std::size_t>(n) + 1) * sizeof(double);
  return storage;
}

/// Marches, sweeps back, prints.
void measure(TransientCase& process, FormResidual& r, const std::vector<int>& wanted, int steps) {
  const double start = processor_seconds(), start_of_all = now();
  const ProcessReport report = process.run(r.control_values());
  const double marched = processor_seconds(), clock_marched = now();
  if (!report.ok) {
    std::printf("not solved: %s\n", report.reason.c_str());
    return;
  }
  const double memory = peak_megabytes();
  Controls d_bar(r.controls().size());
  for (int k : wanted) d_bar[k].assign(r.control_values()[k].size(), 0.0);
  const SolveReport adjoint = process.gradient(d_bar);
  const double swept = processor_seconds(), clock_swept = now();
  const MarchReport& march = process.march_report();
  std::printf("%lld unknowns, %d steps: %.4f s of a processor per step, %.4f of the clock (%.2f Newton iterations each), %.0f MB\n", r.dofs().n_global(), steps,
              (marched - start) / steps, (clock_marched - start_of_all) / steps, double(march.newton_iterations) / steps, memory);
  std::printf("  adjoint (%s) %.4f s per step, %.4f of the clock: (forward + adjoint)/forward %.3f in time; %.3f counted in linear solves, which is 1 + %d/%ld\n",
              adjoint.converged ? "ok" : adjoint.reason.c_str(), (swept - marched) / steps, (clock_swept - clock_marched) / steps, (swept - start) / (marched - start),
              1 + double(march.adjoint_solves) / march.newton_iterations, int(march.adjoint_solves), march.newton_iterations);
  std::printf("  march: %ld factorisations, %ld Krylov iterations; adjoint: %ld and %ld\n", march.factorisations, march.linear_iterations,
              march.adjoint_factorisations, march.adjoint_iterations);
  std::printf("  growth of the adjoint %.3g 1/s, peak %.0f MB with the adjoint; %.1f s of the clock, %.1f of a processor\n", march.adjoint_growth,
              peak_megabytes(), now() - start_of_all, swept - start);
  if (!march.keeps_all) measure_constraints(process, r, wanted, steps);
}

/// How long factors are kept: so many steps; 0: as counted work says.
void keep_factors(MarchOptions& march, int interval) {
  constexpr int most = 32;
  march.factor_interval = interval > 0 ? interval : most;
  march.by_work = interval == 0;
}

void flow(const std::string& file, int steps, int interval, const char* method, double step, int states, bool correction, const std::string& device) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  auto mesh = std::make_shared<const Mesh>(distribute(read_gmsh(file), comm));
  std::vector<Component> components{{"u_x", 2}, {"u_y", 2}, {"p", 1}};
  if (correction) components.push_back({"phi", 1});
  auto dofs = std::make_shared<const DofMap>(mesh, components, comm);
  auto r = std::make_shared<CorrectedFlow>(dofs);
  const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
  const ControlledValue zero = number("zero", 0), viscosity = number("viscosity", 1e-3), density = number("density", 1);
  FlowModel model;
  model.convection = false;
  const auto cells = [&] { return CellBatches::on_cells(dofs, "", 5); };
  if (correction) {
    r->add_form(make_corrected_momentum(FlowKind::planar, model, cells()), {density, viscosity, zero, zero, zero}, {.linear = true});
    r->add_form(make_pressure_correction(FlowKind::planar, model, cells()), {density, viscosity}, {.linear = true});
    r->set_potential(3);
  } else {
    r->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model, cells()), {density, viscosity, zero, zero, zero},
                {.linear = true});
  }
  r->add_form(make_flow_inertia(FlowKind::planar, cells()), {density}, {.linear = true});
  const int carried = r->add_form(make_linearised_convection(FlowKind::planar, cells()), {density});
  for (const char* wall : {"walls", "cylinder"})
    for (int i = 0; i < 2; ++i) r->add_dirichlet({wall, i, zero});
  const int inflow = r->add_control({"inflow", "m/s"}, {1.5});
  r->add_dirichlet({"inlet", 0, {inflow, [](const double* x, double) { return 4 * x[1] * (0.41 - x[1]) / (0.41 * 0.41); }, true}});
  r->add_dirichlet({"inlet", 1, zero});
  r->set_algebraic({2});
  if (correction) {
    r->add_dirichlet({.region = "", .component = 3, .value = zero, .nodes = open_boundary(*r)});
    if (std::string(method) == "auto") r->solve_by_blocks(FlowKind::planar, {{carried, "", 5}}, 2, 3);
  }
  r->finish();
  use_device(*r, flow_device_forms(), device, method);
  LinearSolverOptions linear;
  linear.method = method;
  linear.rtol = 1e-8;
  linear.kept_iteration_limit = 12;
  MarchOptions march;
  march.newton.rtol = 1e-6;
  march.newton.min_iterations = 1;
  keep_factors(march, interval);
  const TimeScheme scheme(correction ? TimeScheme::Kind::pressure_correction : TimeScheme::Kind::bdf2, 1);
  march.storage = room(*r, scheme, states);
  const auto solver = std::make_shared<LinearSolver>(comm, linear);
  TransientCase process("cylinder", r, solver, scheme, grid(step, steps), march);
  std::shared_ptr<Observable> drag = Reaction::force(r, "cylinder", {-20, 0}), lift = Reaction::force(r, "cylinder", {0, -20});
  process.terms().push_back({"drag", drag, {steps}});
  for (const auto& force : {drag, lift}) process.watch({"force", force, {}});
  std::printf("F2, %s, factors %s: ", correction ? "pressure correction" : "coupled", interval > 0 ? ("for " + std::to_string(interval) + " steps").c_str() : "as work says");
  measure(process, *r, {viscosity.control, inflow}, steps);
  std::printf("  a factorisation counts as %.1f iterations\n", solver->factors_in_iterations());
  std::printf("  c_D %.6f, c_L %.7f after %d steps (peers, 0.25 s in 100 steps: 3.06534, -0.0254452)\n", process.series(*drag, {steps})[0],
              process.series(*lift, {steps})[0], steps);
}

void beam(const std::string& file, int steps, int interval, const char* method, int states, const std::string& device) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  Mesh serial = file == "-" ? make_box({0, 0, 0}, {4, 0.5, 0.5}, {40, 5, 5}, Shape::tetrahedron) : read_gmsh(file);
  serial = to_second_order(serial);
  auto mesh = std::make_shared<const Mesh>(distribute(serial, comm));
  auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"u_z", 2}}, comm);
  const std::shared_ptr<const Material> material = make_material({"neo_hookean"});
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
  const ControlledValue young = number("young", 1000), density = number("density", 1);
  r->add_form(make_displacement_form(SolidKind::spatial, material, CellBatches::on_cells(dofs, "", 4)), {young, number("poisson", 0.3)});
  r->add_form(make_inertia(SolidKind::spatial, CellBatches::on_cells(dofs, "", 4)), {density});
  r->add_form(make_traction(SolidKind::spatial, CellBatches::on_facets(dofs, "right", 2)), {number("tx", 0), number("ty", -0.8), number("tz", 0)});
  for (int i = 0; i < 3; ++i) r->add_dirichlet({"left", i, number("zero", 0)});
  r->finish();
  r->set_near_null_space(rigid_body_modes(*dofs));
  use_device(*r, solid_device_forms(), device, method);
  LinearSolverOptions linear;
  linear.method = method;
  linear.rtol = 1e-8;
  linear.kept_iteration_limit = 12;
  MarchOptions march;
  march.newton.rtol = 1e-6;
  march.newton.min_iterations = 1;
  keep_factors(march, interval);
  const TimeScheme scheme(TimeScheme::Kind::generalised_alpha, 2, 0.5);
  march.storage = room(*r, scheme, states);
  const auto solver = std::make_shared<LinearSolver>(comm, linear);
  TransientCase process("beam", r, solver, scheme, grid(0.06, steps), march);
  std::vector<double> distance;
  std::shared_ptr<Observable> tip = make_point_samples(dofs, {{{4, 0.5, 0.5}, 1}}, distance);
  process.terms().push_back({"tip", tip, {steps}});
  process.watch({"tip", tip, {}});
  std::printf("T1, factors %s: ", interval > 0 ? ("for " + std::to_string(interval) + " steps").c_str() : "as work says");
  measure(process, *r, {young.control, density.control}, steps);
  std::printf("  a factorisation counts as %.1f iterations\n", solver->factors_in_iterations());
  std::printf("  tip %.6f after %d steps (peers, step 50: -1.538723)\n", process.series(*tip, {steps})[0], steps);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const std::string device = device_argument(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  const auto argument = [&](int k, const char* fallback) { return argc > k ? argv[k] : fallback; };
  if ((what == "flow" || what == "correction") && argc > 2) {
    const bool correction = what == "correction";
    flow(argv[2], std::atoi(argument(3, "100")), std::atoi(argument(4, "0")), argument(5, correction ? "auto" : "mumps"),
         std::atof(argument(6, "0.0025")), std::atoi(argument(7, "0")), correction, device);
  } else if (what == "beam") {
    beam(argument(2, "-"), std::atoi(argument(3, "50")), std::atoi(argument(4, "0")), argument(5, "mumps_cholesky"), std::atoi(argument(6, "0")), device);
  } else {
    std::printf("usage: bench_time_steps flow|correction MESH [STEPS [STEPS_PER_FACTORISATION|0 [METHOD [STEP [STATES_KEPT]]]]]\n"
                "       bench_time_steps beam [MESH|- [STEPS [STEPS_PER_FACTORISATION|0 [METHOD [STATES_KEPT]]]]]\n"
                "       0: factors are kept as long as counted work says; at the end of either: --device none|emulation|cuda\n");
  }
  check(PetscFinalize());
}
