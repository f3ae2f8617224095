#include <cstdio>
#include <iostream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/gradient_report.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {
namespace {

/// Numbers by name, at most some of them.
std::string table_of(const nlohmann::ordered_json& variables) {
  constexpr std::size_t most = 40;
  char row[200];
  std::snprintf(row, sizeof row, "  %-36s %16s %16s %16s\n", "variable", "value", "dJ/d(value)", "dJ/d(scaled)");
  std::string text = row;
  std::size_t count = 0;
  for (const auto& [name, of] : variables.items()) {
    if (++count > most) return text + "  … (" + std::to_string(variables.size()) + " numbers)\n";
    std::snprintf(row, sizeof row, "  %-36s %16.9g %16.9g %16.9g\n", name.c_str(), of["value"].get<double>(),
                  of["derivative"].get<double>(), of["scaled_derivative"].get<double>());
    text += row;
  }
  return text;
}

/// What the steps of a process in time cost, forward and in the reverse sweep for all seeds; empty for other processes.
std::string cost_of_steps(const CaseModel& model) {
  const auto* process = dynamic_cast<const TransientCase*>(model.process.get());
  if (!process || process->march_report().march_seconds <= 0) return {};
  const MarchReport& r = process->march_report();
  const double steps = static_cast<double>(process->step_lengths().size());
  char text[240];
  std::snprintf(text, sizeof text, "case %s, %g steps: %.3g s of a processor per step, %.3g in the reverse sweep, %.3g of it; %ld and %ld factorisations, %ld and %ld Krylov iterations\n",
                model.name.c_str(), steps, r.march_seconds / steps, r.sweep_seconds / steps, r.sweep_seconds / r.march_seconds, r.factorisations, r.adjoint_factorisations,
                r.linear_iterations, r.adjoint_iterations);
  return text;
}

}  // namespace

ExitCode gradient(const CommandLine& line) {
  Problem problem = build_problem(line.spec, line.sets, PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const auto say = [&](const std::string& text) {
    if (rank == 0) std::cout << text << std::flush;
  };
  if (!problem.functional->has_design()) {
    Diagnostics diagnostics;
    diagnostics.error(problem.spec.position, "", "there is no gradient: section 'design' is missing");
    diagnostics.throw_if_any();
  }
  const GradientReport report = evaluate_gradient(problem, problem.functional->start());
  if (!report.objective.ok) {
    say("The start cannot be evaluated: " + report.objective.reason + "\n");
    return ExitCode::solve;
  }
  if (line.verbosity > 0)
    for (const CaseModel& model : problem.cases) say(cost_of_steps(model));
  const std::filesystem::path folder = made_folder(line.out.value_or(RunFolder::default_for(line.spec).concat("_gradient")));
  write_gradient_fields(problem, report, folder / "fields");
  nlohmann::ordered_json j = gradient_json(problem, report);
  const auto [certificate, shortened] = certify_problem(problem, report.theta, false);
  j["certificate"] = to_json(certificate);
  if (shortened) j["certificate"]["shortened_gradient"] = to_json(*shortened);
  if (rank == 0) write_atomically(folder / "gradient.json", j.dump(2) + '\n');
  if (line.verbosity >= 0) {
    char text[160];
    std::snprintf(text, sizeof text, "objective %.12g, gradient %.6g in scaled variables, of ", report.objective.value,
                  j["gradient_norm"].get<double>());
    say(text + design_size(*problem.functional).text() + "\n");
    if (!j["variables"].empty()) say(table_of(j["variables"]));
    for (std::size_t c = 0; c < report.constraints.size(); ++c) {
      std::snprintf(text, sizeof text, "  constraint %-25s %16.9g\n", problem.constraints[c].info.name.c_str(), report.constraints[c]);
      say(text);
    }
    say("written to " + (folder / "gradient.json").string() + "\n");
  }
  if (certificate.failed()) say("the gradient certificate failed:\n" + certificate.table());
  else if (!certificate.passed()) say("the gradient certificate is inconclusive:\n" + certificate.table());
  return certificate.failed() ? ExitCode::gradient_check : ExitCode::ok;
}

}  // namespace invar
