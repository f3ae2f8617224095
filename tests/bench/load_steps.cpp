// Ten load steps of a hyperelastic block, stretched and sheared: what the gradient of a misfit to marker
// displacements and reaction forces at every step costs, beside the forward solve.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

/// A block of n × n × n / 2 hexahedra of the given order, clamped on the left, drawn and sheared on the right.
void run(int n, int order, const std::string& method, bool keep) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  auto mesh = std::make_shared<const Mesh>(
      distribute(make_box({0, 0, 0}, {2, 1, 1}, {n, n / 2, n / 2}, Shape::hexahedron, order), comm));
  auto dofs = std::make_shared<const DofMap>(
      mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"u_z", order}}, comm);
  const std::shared_ptr<const Material> material = make_material({"neo_hookean"});
  auto r = std::make_shared<FormResidual>(dofs);
  const int young = r->add_control({"young", "Pa"}, {10}), poisson = r->add_control({"poisson", "1"}, {0.3});
  r->add_form(make_displacement_form(SolidKind::spatial, material, CellBatches::on_cells(dofs, "", 2 * order)),
              {ControlledValue{young, {}}, ControlledValue{poisson, {}}});
  const int stretch = r->add_control({"stretch", "m"}, {0.8}), shear = r->add_control({"shear", "m"}, {0.4}),
            clamp = r->add_control({"clamp", "m"}, {0});
  const auto ramp = [](const double*, double t) { return t; };
  for (int i = 0; i < 3; ++i) r->add_dirichlet({"left", i, {clamp, {}}});
  r->add_dirichlet({"right", 0, {stretch, ramp, false, true}});
  r->add_dirichlet({"right", 1, {shear, ramp, false, true}});
  r->add_dirichlet({"right", 2, {clamp, {}}});
  r->finish();
  r->set_near_null_space(rigid_body_modes(*dofs));

  LinearSolverOptions linear;
  linear.method = method;
  linear.keep_factors = keep;
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-8;
  std::vector<double> times;
  for (int k = 1; k <= 10; ++k) times.push_back(0.1 * k);
  auto solver = std::make_shared<LinearSolver>(comm, linear);
  StaticCase problem("load steps", r, solver, times, 0.0, stepping);
  const auto measure = [&](const char* name, std::shared_ptr<Observable> observable) {
    DataSet set;
    set.name = name;
    for (int k = 0; k < 10; ++k) set.steps.push_back(k);
    set.target.assign(10 * observable->size(), 0.0);
    set.noise.assign(set.target.size(), 1.0);
    set.observable = std::move(observable);
    problem.data().push_back(std::move(set));
  };
  std::vector<double> distance;
  measure("markers", make_point_samples(dofs, {{{1, 0.5, 1}, 0}, {{1, 0.5, 1}, 1}, {{0.5, 1, 0.5}, 1}}, distance));
  measure("force", Reaction::force(r, "right", {1, 0, 0}));

  const double start = now();
  const ProcessReport report = problem.run(r->control_values());
  const double solved = now();
  const double forward_memory = peak_megabytes();
  const int forward_factorisations = solver->factorisations();
  Controls d_bar(r->controls().size());
  for (int control : {young, poisson, stretch, shear}) d_bar[control].assign(1, 0.0);
  const SolveReport adjoint = problem.gradient(d_bar);
  const double end = now();
  // The same with every adjoint right behind its Newton solve, on the factors left there: what an
  // optimiser that asks for the gradient pays.
  Controls d_bar_on_the_way(r->controls().size());
  for (int control : {young, poisson, stretch, shear}) d_bar_on_the_way[control].assign(1, 0.0);
  const double again = now();
  problem.run(r->control_values());
  const double forward_again = now();
  problem.run(r->control_values(), &d_bar_on_the_way);
  const double on_the_way = now() - forward_again;
  double memory[2] = {forward_memory, peak_megabytes()};
  MPI_Allreduce(MPI_IN_PLACE, memory, 2, MPI_DOUBLE, MPI_SUM, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  std::printf("%lld unknowns of order %d, %s: 10 load steps forward %.2f s (%s; %d Newton, %d Krylov, %d factorisations), "
              "gradient %.2f s (%s; %d factorisations): %.3f of the forward solve (goal 0.15)\n",
              dofs->n_global(), order, std::string(solver->method()).c_str(), solved - start,
              report.ok ? "ok" : report.reason.c_str(), report.newton_iterations, report.linear_iterations,
              forward_factorisations, end - solved, adjoint.converged ? "ok" : adjoint.reason.c_str(),
              solver->factorisations() - forward_factorisations, (end - solved) / (solved - start));
  std::printf("  peak memory %.0f MB forward, %.0f MB with the adjoint: %.2f (goal 1.3); gradient %.9e %.9e %.9e %.9e\n",
              memory[0], memory[1], memory[1] / memory[0], d_bar[young][0], d_bar[poisson][0], d_bar[stretch][0],
              d_bar[shear][0]);
  const double forward = forward_again - again;
  std::printf("  on the way: forward %.2f s, with gradient %.2f s: %.3f of the forward solve more (goal 0.15); gradient %.9e\n",
              forward, on_the_way, on_the_way / forward - 1, d_bar_on_the_way[young][0]);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 4) {
    std::printf("usage: bench_load_steps CELLS_PER_LENGTH ORDER METHOD [1: keep factors]\n");
    return 2;
  }
  run(std::atoi(argv[1]), std::atoi(argv[2]), argv[3], argc > 4 && argv[4][0] == '1');
  check(PetscFinalize());
}
