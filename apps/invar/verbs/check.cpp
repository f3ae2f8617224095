#include <iostream>

#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode check(const CommandLine& line) {
  Problem problem = build_problem(line.spec, line.sets, PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const auto say = [&](const std::string& text) {
    if (rank == 0) std::cout << text << std::endl;
  };
  if (problem.functional->entries().empty()) {
    say("There is no gradient to check: the spec has no 'design' section.");
    return ExitCode::usage;
  }
  const DesignVector start = problem.functional->start();
  const Evaluation at_start = problem.functional->value(start);
  if (!at_start.ok) {
    say("The start cannot be evaluated: " + at_start.reason);
    return ExitCode::solve;
  }
  const Certificate certificate = certify_problem(problem, start, true);
  say(certificate.table());
  return certificate.passed() ? ExitCode::ok : ExitCode::gradient_check;
}

}  // namespace invar
