#include "apps/invar/verbs/start_of_run.hpp"

#include <cmath>
#include <cstdio>

#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/verbs/gradient_report.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "libadjoint/optimize/worst_violation.hpp"

namespace invar {

bool certify_start(Session& session, ProcessAccuracy& trust) {
  Problem& problem = session.problem();
  Console& console = session.console();
  const DesignVector start = problem.functional->start();
  const nlohmann::ordered_json processes = trust.reports();
  const auto [certificate, shortened] = certify_problem(problem, start, false);
  nlohmann::ordered_json j = to_json(certificate);
  if (shortened) j["shortened_gradient"] = to_json(*shortened);
  if (!processes.is_null()) j["processes"] = processes;
  if (session.folder()) session.folder()->write_json("certificate.json", j);
  say_trust(processes, console);
  if (certificate.passed()) console.summary("gradient", "adjoint and tangent agree to " + worst_difference(certificate));
  else if (certificate.failed()) console.warning("the gradient certificate failed:\n" + certificate.table());
  else console.warning("the gradient certificate is inconclusive:\n" + certificate.table());
  if (shortened)
    for (const std::string& words : in_words(*shortened)) console.summary("truncated sweep", words);
  return !certificate.failed();
}

// The last digits differ on another machine, and with MUMPS on several processes, whose order of summation varies.
void require_same_start(Session& session, double value, const Checkpoint& from) {
  const double before = from.value_at_start;
  if (value == before) return;
  char text[120];
  std::snprintf(text, sizeof text, "the objective at the start is %.17g and was %.17g when the run began", value, before);
  if (!(std::abs(value - before) <= 1e-6 * std::abs(before)))
    throw SpecError(session.path().string() + ": error: " + text +
                        ": a mesh or data have changed; restore them, or begin another run with 'invar run'\n", {});
  session.console().warning(std::string(text) + ": another machine, other libraries or a direct solver on several processes change the last digits, also in the rest of the run");
}

OptimizerResult evaluate_start(Session& session) {
  Problem& problem = session.problem();
  const GradientReport report = evaluate_gradient(problem, problem.functional->start());
  OptimizerResult result;
  result.theta = report.theta;
  result.evaluations = 1;
  result.reason = report.objective.reason;
  if (!report.objective.ok) return result;
  write_gradient_fields(problem, report, session.path() / "fields");
  const nlohmann::ordered_json j = gradient_json(problem, report);
  if (session.folder()) session.folder()->write_json("gradient.json", j);
  result.value = report.objective.value;
  result.relative_gradient = 1;
  result.violation = worst_violation(problem.functional->constraints(), report.constraints);
  result.feasible = result.violation <= problem.spec["optimizer"]["constraint_tolerance"].number();
  result.converged = true;
  result.reason = "evaluated at the start, without a search: max_iterations is 0";
  return result;
}

}  // namespace invar
