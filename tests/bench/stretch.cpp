// A block of 4 × (N − 1)² hexahedra of a neo-Hookean law, held at one end and drawn to ten times its length in ten steps: forward solve, and
// gradient of the force at the end. The same block as of other programs' published figures.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/on_device.hpp"

using namespace invar;

namespace {

void run(int n, const std::string& method, const std::string& device) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  const auto mesh = std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {4.0 / (n - 1), 1, 1}, {4, n - 1, n - 1}, Shape::hexahedron), comm));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, comm);
  const auto r = std::make_shared<FormResidual>(dofs);
  const int young = r->add_control({"young", "Pa"}, {10}), poisson = r->add_control({"poisson", "1"}, {0.3});
  const std::shared_ptr<const Material> material = make_material({"neo_hookean"});
  r->add_form(make_displacement_form(SolidKind::spatial, material, CellBatches::on_cells(dofs, "", 2)), {ControlledValue{young, {}}, ControlledValue{poisson, {}}});
  const int drawn = r->add_control({"drawn", "m"}, {9}), zero = r->add_control({"clamp", "m"}, {0});
  const auto ramp = [](const double*, double t) { return t; };
  for (int i = 0; i < 3; ++i) r->add_dirichlet({"bottom", i, {zero, {}}});
  r->add_dirichlet({"top", 1, {drawn, ramp, false, true}});
  for (const int i : {0, 2}) r->add_dirichlet({"top", i, {zero, {}}});
  r->finish();
  r->set_near_null_space(rigid_body_modes(*dofs));
  use_device(*r, solid_device_forms(), device, method);

  LinearSolverOptions linear;
  linear.method = method;
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-8;
  std::vector<double> times;
  for (int k = 1; k <= 10; ++k) times.push_back(0.1 * k);
  const auto solver = std::make_shared<LinearSolver>(comm, linear);
  StaticCase problem("stretch", r, solver, times, 0.0, stepping);
  problem.terms().push_back({"force", std::shared_ptr<Observable>(Reaction::force(r, "top", {0, 1, 0})), {9}});

  const double start = now(), processor = processor_seconds();
  const ProcessReport report = problem.run(r->control_values());
  const double solved = now(), processor_solved = processor_seconds();
  Controls d_bar(r->controls().size());
  for (const int control : {young, poisson, drawn}) d_bar[control].assign(1, 0.0);
  const int factorisations = solver->factorisations();
  const SolveReport adjoint = problem.gradient(d_bar);
  const double end = now(), processor_end = processor_seconds();
  const double force = problem.value();
  double memory = peak_megabytes();
  MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &d_bar[young][0], 1, MPI_DOUBLE, MPI_SUM, comm);  // each rank has the part of its cells
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    std::printf("N = %d, %lld unknowns, %s: forward %.2f s (%.2f of processor time; %s; %d Newton, %d Krylov, %d factorisations), gradient %.2f s (%.2f; %s), %.3f of it, %.0f MB; "
                "force %.9e, by the modulus %.9e (they are in proportion: %.1e)\n",
                n, dofs->n_global(), std::string(solver->method()).c_str(), solved - start, processor_solved - processor, report.ok ? "ok" : report.reason.c_str(),
                report.newton_iterations, report.linear_iterations, factorisations, end - solved, processor_end - processor_solved, adjoint.converged ? "ok" : adjoint.reason.c_str(),
                (end - solved) / (solved - start), memory, force, d_bar[young][0], d_bar[young][0] * 10 / force - 1);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const std::string device = device_argument(argc, argv);
  if (argc < 3) {
    std::printf("usage: bench_stretch NODES_PER_EDGE METHOD [--device none|emulation|cuda]\n");
    return 2;
  }
  run(std::atoi(argv[1]), argv[2], device);
  check(PetscFinalize());
}
