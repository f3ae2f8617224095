// Case S1: a neo-Hookean cube, one face fixed, the opposite one twisted, under body force and traction.
// Prints times, iterations, energies and tip values beside the figures of other tools.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/twisted_cube.hpp"

using namespace invar;

namespace {

void run(const char* path, int order, const char* method, int degree) {
  const double start = now();
  const MPI_Comm comm = PETSC_COMM_WORLD;
  const TwistedCube cube(path, order, degree, 0.3, false, comm);
  const auto& [mesh, dofs, r, young] = cube;
  const double ready = now();

  // Tangent assembly alone.
  VecHandle u = r->create_vector();
  const EvaluationPoint rest{u, r->given()};
  r->jacobian(rest);
  const double before = now();
  for (int i = 0; i < 5; ++i) r->jacobian(rest);
  const double assembly = (now() - before) / 5;

  LinearSolverOptions linear;
  linear.method = method;
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-8;
  auto solver = std::make_shared<LinearSolver>(comm, linear);
  StaticCase problem("twist", r, solver, {1.0}, 0.0, stepping);
  const double solve_start = now(), processor_start = processor_seconds();
  const ProcessReport report = problem.run(r->control_values());
  const double solve = now() - solve_start;
  double processor = processor_seconds() - processor_start;
  MPI_Allreduce(MPI_IN_PLACE, &processor, 1, MPI_DOUBLE, MPI_MAX, comm);
  double memory = peak_megabytes();
  MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_DOUBLE, MPI_SUM, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    std::printf("%s P%d %lld unknowns, %s: set-up %.2f s, assembly %.4f s, solve %.2f s, %.2f s of processor time "
                "(%s; %d Newton, %d Krylov, %d cuts, %d factorisations), %.0f MB\n",
                path, order, dofs->n_global(), std::string(solver->method()).c_str(), ready - start, assembly, solve, processor,
                report.ok ? "ok" : report.reason.c_str(), report.newton_iterations, report.linear_iterations,
                report.cuts, solver->factorisations(), memory);
  if (!report.ok) return;
  Vec state = problem.state(0);
  const EvaluationPoint twisted{state, problem.setting(0)};
  const double total = r->potential(twisted), stored = r->form_value(0, twisted);
  if (rank == 0) std::printf("  potential %.14f  stored energy %.9f\n", total, stored);
  const double* a = nullptr;
  check(VecGetArrayRead(state, &a));
  for (int n = 0; n < mesh->n_owned_nodes; ++n) {
    const double* x = &mesh->coordinates[3 * n];
    if (std::abs(x[0] - 0.5) + std::abs(x[1] - 1) + std::abs(x[2] - 1) < 1e-9)
      std::printf("  u(0.5, 1, 1) = (%.10f, %.10f, %.10f)\n", a[3 * n], a[3 * n + 1], a[3 * n + 2]);
  }
  check(VecRestoreArrayRead(state, &a));
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 4) {
    std::printf("usage: bench_cube_twist MESH_FILE|N ORDER METHOD [DEGREE]\n");
    return 2;
  }
  const int order = std::atoi(argv[2]);
  const bool degree_given = argc > 4 && argv[4][0] != '-';  // else an option of PETSc
  run(argv[1], order, argv[3], degree_given ? std::atoi(argv[4]) : order == 2 ? 4 : 1);
  check(PetscFinalize());
}
