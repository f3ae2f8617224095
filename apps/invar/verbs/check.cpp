#include <iostream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/verbs/influence.hpp"
#include "apps/invar/verbs/process_accuracy.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode check(const CommandLine& line) {
  Problem problem = build_problem(line.spec, line.sets, PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const auto say = [&](const std::string& text) {
    if (rank == 0) std::cout << text << std::endl;
  };
  if (!problem.functional->has_design()) {
    Diagnostics diagnostics;
    diagnostics.error(problem.spec.position, "", "there is no gradient to check: section 'design' is missing");
    diagnostics.throw_if_any();
  }
  ProcessAccuracy trust(problem);
  trust.listen();
  const DesignVector start = problem.functional->start();
  DesignVector gradient;
  const Evaluation at_start = problem.functional->gradient(start, gradient);
  if (!at_start.ok) {
    say("The start cannot be evaluated: " + at_start.reason);
    return ExitCode::solve;
  }
  const nlohmann::ordered_json processes = trust.reports();
  require_influence(problem);
  const auto [certificate, shortened] = certify_problem(problem, start, true);
  if (line.verbosity >= 0) {
    for (const auto& [name, of] : processes.items())
      for (const std::string& words : trust_lines(of)) say("case " + name + ": " + words);
    if (shortened)
      for (const std::string& words : in_words(*shortened)) say("truncated gradient: " + words);
  }
  if (line.out) {
    nlohmann::ordered_json j = to_json(certificate);
    if (shortened) j["shortened_gradient"] = to_json(*shortened);
    if (!processes.is_null()) j["processes"] = processes;
    made_folder(*line.out);
    if (rank == 0) write_atomically(*line.out / "certificate.json", j.dump(2) + '\n');
  }
  std::string table = certificate.table();
  while (table.ends_with('\n')) table.pop_back();
  say(line.verbosity < 0 ? table.substr(table.rfind('\n') + 1) : table);
  return certificate.passed() ? ExitCode::ok : ExitCode::gradient_check;
}

}  // namespace invar
