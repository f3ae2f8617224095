// A cube pressed into another one, in space: what contact adds to a step of Newton's method beside the factorisation, how often the matrix's
// pattern changes, and what the adjoint of a process with friction costs beside the march.
//
//   bench_contact_steps [CELLS] [LOAD_STEPS] [TIME_STEPS] [SAMPLES]      (LOAD_STEPS, TIME_STEPS 0: without that process)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/contact_parameters.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"

namespace invar {
namespace {

/// Processor seconds of what is done.
template <class Work>
double seconds_of(Work work) {
  const double before = processor_seconds();
  work();
  return processor_seconds() - before;
}

struct Cubes {
  static constexpr double gap = 2e-3, d_hat = 4e-3, way = 0.03;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual, without;  // without contact
  int young = -1, friction = -1;

  Cubes(int n, int samples, bool in_time) {
    // The upper one is smaller and a quarter of a cell aside, so that meshes do not match.
    const double shift = 0.25 / n;
    mesh = std::make_shared<const Mesh>(distribute(join_bodies({{"lower", make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::hexahedron)},
                                                                {"upper", make_box({0.05 + shift, 1 + gap, 0.05}, {0.95, 1.9, 0.95 - shift}, {n, n, n}, Shape::hexahedron)}}),
                                                   PETSC_COMM_WORLD, {{"lower_top", "upper_bottom"}}));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, PETSC_COMM_WORLD);
    residual = add_all(in_time, samples);
    without = add_all(in_time, 0);
  }

  std::shared_ptr<FormResidual> add_all(bool in_time, int samples) {
    auto r = std::make_shared<FormResidual>(dofs);
    const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
    const auto cells = [&] { return CellBatches::on_cells(dofs, "", 2); };
    const ControlledValue stiffness = number("young", 1), zero = number("zero", 0);
    young = stiffness.control;
    r->add_form(make_displacement_form(SolidKind::spatial, make_material({.name = "neo_hookean"}), cells()), {stiffness, number("poisson", 0.3)});
    if (in_time) r->add_form(make_inertia(SolidKind::spatial, cells()), {number("density", 1)});
    if (samples > 0) {
      const auto finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, samples, false);
      std::vector<ControlledValue> law{number("stiffness", 0.1), number("distance", d_hat)};
      if (in_time) {
        law.push_back(number("friction", 0.3));
        friction = law.back().control;
        law.push_back(number("slip speed", 1e-3));
      }
      r->add_form(in_time ? make_frictional_contact(finder, dofs) : make_contact(finder, dofs), law);
    }
    const ControlledValue down{r->add_control({"down", "m"}, {-way}), [](const double*, double t) { return t; }, false, true};
    const ControlledValue aside{r->add_control({"aside", "m"}, {0.3 * way}), [](const double*, double t) { return t; }, false, true};
    for (int i = 0; i < 3; ++i) {
      r->add_dirichlet({.region = "lower_bottom", .component = i, .value = zero});
      r->add_dirichlet({.region = "upper_top", .component = i, .value = i == 1 ? down : i == 0 ? aside : zero});
    }
    r->finish();
    return r;
  }
};

void load_steps(int n, int steps, int samples) {
  Cubes cubes(n, samples, false);
  FormResidual& r = *cubes.residual;
  std::vector<double> loads;
  for (int k = 1; k <= steps; ++k) loads.push_back(double(k) / steps);
  StaticCase process("cubes", cubes.residual, std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{.method = "mumps_cholesky"}), loads, 0.0, LoadSteppingOptions{});
  ProcessReport report;
  const double all = seconds_of([&] { report = process.run(r.control_values()); });
  std::printf("%lld unknowns, %d load steps (%s): %.1f s, %d Newton iterations, %d changes of the pattern, %.1f a load step\n", cubes.dofs->n_global(), steps,
              report.ok ? "ok" : report.reason.c_str(), all, report.newton_iterations, r.pattern_changes(), double(r.pattern_changes()) / steps);
  if (!report.ok) return;

  const EvaluationPoint u{process.state(steps - 1), r.given(1)};
  const EvaluationPoint same{process.state(steps - 1), cubes.without->given(1)};
  VecHandle f = r.create_vector(), step = r.create_vector();
  r.update_pattern(u);
  r.jacobian(u), cubes.without->jacobian(same);  // first calls find places in the matrix
  check(VecSet(step, 1e-4));
  // A little further, so that nothing is remembered.
  const VecHandle there = zeros_like(u.unknown);
  check(VecCopy(u.unknown, there));
  check(VecScale(there, 1 + 1e-9));
  const EvaluationPoint v{State(there), r.given(1)}, w{State(there), cubes.without->given(1)};
  const double pattern = seconds_of([&] { r.update_pattern(v); });
  const double forces = seconds_of([&] { r.residual(v, f); }), others = seconds_of([&] { cubes.without->residual(w, f); });
  const double matrix = seconds_of([&] { r.jacobian(v); }), other_matrix = seconds_of([&] { cubes.without->jacobian(w); });
  const double limit = seconds_of([&] { r.longest_step(v, step); });
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "mumps_cholesky"});
  check(VecSet(f, 1.0));
  solver.set_operator(r.matrix(), true);
  const double first = seconds_of([&] { solver.solve(f, step); });
  solver.set_operator(r.matrix(), true);
  const double again = seconds_of([&] { solver.solve(f, step); });
  const double contact = pattern + (forces - others) + (matrix - other_matrix) + limit;
  std::printf("  contact: couplings %.4f s, forces %.4f, matrix %.4f, step limit %.4f; in sum %.4f s\n", pattern, forces - others, matrix - other_matrix, limit, contact);
  std::printf("  the cells: forces %.4f s, matrix %.4f; factors and solution %.3f s, with their analysis %.3f (%.2f of a factorisation)\n", others, other_matrix, again,
              first, first / again - 1);
  std::printf("  contact / factorisation %.3f\n", contact / again);
}

/// keep: the sweep goes on with the factors of the march.
void time_steps(int n, int steps, int samples, bool keep) {
  Cubes cubes(n, samples, true);
  FormResidual& r = *cubes.residual;
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(double(k) / steps);
  MarchOptions options;
  if (keep) options.storage.ram_bytes = std::size_t(1) << 32;
  TransientCase process("cubes", cubes.residual, std::make_shared<LinearSolver>(PETSC_COMM_WORLD), TimeScheme(TimeScheme::Kind::bdf2, 2, 0.5), times, options);
  process.terms().push_back({.name = "drag", .observable = Reaction::force(cubes.residual, "lower_bottom", {1, 0, 0}), .steps = {steps}});
  ProcessReport report;
  const double march = seconds_of([&] { report = process.run(r.control_values()); });
  if (!report.ok) return void(std::printf("not solved: %s\n", report.reason.c_str()));
  Controls d_bar(r.controls().size());
  for (const int k : {cubes.young, cubes.friction}) d_bar[k].assign(1, 0.0);
  SolveReport adjoint;
  const double sweep = seconds_of([&] { adjoint = process.gradient(d_bar); });
  const MarchReport& m = process.march_report();
  std::printf("%lld unknowns, %d steps in time with friction: march %.2f s, %ld Newton iterations, %ld Krylov iterations, %ld factorisations; adjoint (%s) %.2f s, %ld solves, %ld iterations, %ld factorisations; %d sets of factors kept (%.0f MB): ratio %.3f\n",
              cubes.dofs->n_global(), steps, march, m.newton_iterations, m.linear_iterations, m.factorisations, adjoint.converged ? "ok" : adjoint.reason.c_str(), sweep, m.adjoint_solves,
              m.adjoint_iterations, m.adjoint_factorisations, m.kept_factors, 1e-6 * double(m.factor_bytes), sweep / march);
}

}  // namespace
}  // namespace invar

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  invar::choose_suitable_blas();
  invar::check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const int samples = argument(4, invar::default_contact_samples(3, 1));
  if (argument(2, 3) > 0) invar::load_steps(argument(1, 16), argument(2, 3), samples);
  if (argument(3, 10) > 0)
    for (const bool keep : {false, true}) invar::time_steps(argument(1, 16) / 2, argument(3, 10), samples, keep);
  invar::check(PetscFinalize());
  return 0;
}
