#include <iostream>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/sweep_setup.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode validate(const CommandLine& line) {
  const Problem problem = build_problem(line.spec, line.sets, PETSC_COMM_WORLD);
  const std::size_t runs = problem.spec.has("sweep") ? planned_sweep(line).points.size() : 0;
  const DesignSize design = design_size(*problem.functional);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return ExitCode::ok;
  for (const std::string& note : problem.notes) std::cerr << "warning: " << note << '\n';
  std::cout << line.spec.string() << ": valid; " << problem.cases.size() << " case"
              << (problem.cases.size() == 1 ? "" : "s") << ", " << design.text() << ", "
              << problem.functional->residual_count() << " data" << (runs > 0 ? ", a sweep of " + std::to_string(runs) + " runs" : "") << '\n';
  return ExitCode::ok;
}

}  // namespace invar
