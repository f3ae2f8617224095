// Linear solvers for fluid-structure interaction in space, of one step in time: a factorisation of the whole matrix against fields that
// are solved one after the other, forward and transposed. A soft block stands on the floor of a channel.
#include <cmath>
#include <cstdlib>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "tests/bench/measure.hpp"
#include "tests/support/soft_block.hpp"

using namespace invar;

namespace {

double sum_over_ranks(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return x;
}

struct Timer {
  double clock = now(), processor = processor_seconds();
  void print(const std::string& what) const {
    const double cpu = sum_over_ranks(processor_seconds() - processor), memory = sum_over_ranks(peak_megabytes());
    PetscPrintf(PETSC_COMM_WORLD, "  %s: %.2f s (%.2f s of processors), peak %.0f MB\n", what.c_str(), now() - clock, cpu, memory);
  }
};

void measure(int n, double young, const std::string& method) {
  SoftBlockStep step({.cells = {15 * n, 4 * n, 4 * n}, .young = young});
  step.matrix();
  Timer assembly;
  const Mat K = step.matrix();
  MatInfo info;
  check(MatGetInfo(K, MAT_GLOBAL_SUM, &info));
  PetscPrintf(PETSC_COMM_WORLD, "%lld unknowns, %.3g entries, E = %g Pa, %s\n", step.residual->dofs().n_global(), info.nz_used, young, method.c_str());
  assembly.print("assembly");
  VecHandle b, x, work;
  check(MatCreateVecs(K, work.out(), b.out()));
  check(VecDuplicate(b, x.out()));
  PetscRandom random;
  check(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  check(VecSetRandom(work, random));
  check(PetscRandomDestroy(&random));
  LinearSolver solver(PETSC_COMM_WORLD, {.method = method, .rtol = 1e-10});
  solver.set_coupled_fields(step.residual->matrix_hints().coupled_fields);
  solver.set_operator(K, false);
  for (const char* what : {"set-up and solve", "solve"}) {
    check(MatMult(K, work, b));
    const Timer timer;
    const SolveReport report = solver.solve(b, x);
    timer.print(std::string(what) + ", " + std::to_string(report.iterations) + " iterations, " + report.reason);
  }
  check(MatMultTranspose(K, work, b));
  const Timer timer;
  const SolveReport report = solver.solve_transpose(b, x);
  timer.print("transposed solve, " + std::to_string(report.iterations) + " iterations, " + report.reason);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc > 3) measure(std::atoi(argv[1]), std::atof(argv[2]), argv[3]);
  else PetscPrintf(PETSC_COMM_WORLD, "usage: bench_interaction N YOUNG METHOD [-invar_… of PETSc]\n"
                                     "       15 N × 4 N × 4 N cells; METHOD: of solver.linear, e.g. mumps or block_gauss_seidel\n");
  check(PetscFinalize());
}
