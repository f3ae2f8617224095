#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/problem/build_start.hpp"
#include "apps/invar/problem/refined_setting.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/spec/validate.hpp"
#include "apps/invar/verbs/exit_code_of.hpp"
#include "apps/invar/verbs/gradient_report.hpp"
#include "apps/invar/verbs/influence.hpp"
#include "apps/invar/verbs/prediction.hpp"
#include "apps/invar/verbs/process_trust.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "apps/invar/verbs/search.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "apps/invar/verbs/verification_json.hpp"
#include "apps/invar/verbs/verifier.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/optimize/worst_violation.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

/// A sentence on the largest difference between adjoint and tangent.
std::string worst_difference(const Certificate& certificate) {
  double worst = 0;
  for (const CertificateEntry& e : certificate.entries) worst = std::max(worst, e.measured);
  return scientific(worst);
}

/// One run from the spec to its folder, or the rest of one from its folder.
class Run {
 public:
  Run(const CommandLine& line, bool resumed)
      : session_(line, resumed), problem_(session_.problem()), console_(session_.console()), trust_(problem_) {}

  /// What is thrown on the way is noted in run.json and thrown on.
  ExitCode execute() {
    std::vector<std::string> damaged;
    std::optional<Checkpoint> from;
    if (session_.resumed()) {
      from = read_checkpoint(CheckpointFolder(session_.path() / "checkpoints"), PETSC_COMM_WORLD, damaged);
      if (from) require_same(problem_.spec, session_.line().petsc_options, from->identity);
    }
    session_.open();
    if (problem_.spec.has("sweep"))
      console_.line("  the spec's section 'sweep' is for 'invar sweep': this is one run, of the values outside of it");
    for (const std::string& file : damaged)
      console_.warning("'" + file + "' is damaged; the run goes on from " + (from ? "the checkpoint before" : "its start"));
    if (session_.resumed() && damaged.empty() && !from) console_.line("  there is no checkpoint: the run begins at its start");
    try {
      const ExitCode code = problem_.functional->has_design() ? optimize(from) : simulate();
      return session_.finish(code, closing_);
    } catch (const std::exception& e) {
      session_.record(exit_code_of(e, !session_.line().petsc_options.empty()), e.what());
      throw;
    }
  }

 private:
  ExitCode simulate();
  ExitCode optimize(const std::optional<Checkpoint>& from);
  bool certify();
  void require_same_start(double value, const Checkpoint& from);
  OptimizerResult evaluate_once();
  Uncertainty infer(const DesignVector& theta);
  void draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix);
  void say_trust(const nlohmann::ordered_json& processes);
  nlohmann::ordered_json report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u);
  ExitCode verify(const OptimizerResult& optimum, const Uncertainty* u, nlohmann::ordered_json& results);
  ExitCode hold_to_expectations(const nlohmann::ordered_json& results);

  Session session_;
  Problem& problem_;
  Console& console_;
  ProcessTrust trust_;
  std::string closing_;
};

ExitCode Run::simulate() {
  const Interruption interruption;
  show_load_steps(problem_, console_);
  show_solves(problem_, console_, &interruption);
  trust_.listen();
  const DesignVector nothing;
  const Evaluation e = problem_.functional->solve(nothing);
  show_solves(problem_, console_);
  int asked = interruption.asked();
  MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  if (!e.ok && asked) {
    const int written = write_solved_states(problem_, session_.path() / "fields");
    if (session_.folder()) trust_.write_steps_taken(*session_.folder());
    std::string reached;
    for (const CaseModel& model : problem_.cases)
      if (const std::vector<int> states = model.process->states_at_hand(); !states.empty())
        reached += ", case " + model.name + " to t = " + number_text(model.times[states.back()]) + " of " + number_text(model.times.back());
    closing_ = "interrupted" + (written > 0 ? reached + ": the fields of what was solved before are written" : ": " + e.reason);
    return ExitCode::interrupted;
  }
  if (!e.ok) {
    closing_ = "not solved: " + e.reason;
    return ExitCode::solve;
  }
  closing_ = "solved";
  say_digits(problem_, console_);
  if (const nlohmann::ordered_json processes = trust_.reports(); !processes.is_null()) {
    say_trust(processes);
    if (session_.folder()) session_.folder()->write_json("certificate.json", {{"processes", processes}});
  }
  return hold_to_expectations(report(nothing, nullptr, nullptr));
}

void Run::say_trust(const nlohmann::ordered_json& processes) {
  for (const auto& [name, of] : processes.items())
    for (const std::string& words : trust_lines(of)) console_.summary("case " + name, words);
}

/// Every run proves its gradient, at the start: at an optimum there is nothing left to compare.
bool Run::certify() {
  const DesignVector start = problem_.functional->start();
  const nlohmann::ordered_json processes = trust_.reports();
  const auto [certificate, shortened] = certify_problem(problem_, start, false);
  nlohmann::ordered_json j = to_json(certificate);
  if (shortened) j["shortened_gradient"] = to_json(*shortened);
  if (!processes.is_null()) j["processes"] = processes;
  if (session_.folder()) session_.folder()->write_json("certificate.json", j);
  say_trust(processes);
  if (certificate.passed()) console_.summary("gradient", "adjoint and tangent agree to " + worst_difference(certificate));
  else if (certificate.failed()) console_.warning("the gradient certificate failed:\n" + certificate.table());
  else console_.warning("the gradient certificate cannot tell whether the gradient is right:\n" + certificate.table());
  if (shortened)
    for (const std::string& words : in_words(*shortened)) console_.summary("cut short", words);
  return !certificate.failed();
}

/// The same spec may still be about other data or another mesh, or be computed by another machine. Nor does
/// MUMPS on several processes add up in the same order twice.
void Run::require_same_start(double value, const Checkpoint& from) {
  const double before = from.value_at_start;
  if (value == before) return;
  char text[120];
  std::snprintf(text, sizeof text, "the objective at the start is %.17g and was %.17g when the run began", value, before);
  if (!(std::abs(value - before) <= 1e-6 * std::abs(before)))
    throw SpecError(session_.path().string() + ": error: " + text +
                        ": a mesh or data have changed; put them back, or begin another run with 'invar run'\n", {});
  console_.warning(std::string(text) + ": another machine, other libraries or a direct solver on several processes do not "
                                       "repeat the last digits, nor will the rest of the run");
}

/// Objective and gradient at the start, as `invar gradient` writes them, in place of a search.
OptimizerResult Run::evaluate_once() {
  const GradientReport report = evaluate_gradient(problem_, problem_.functional->start());
  OptimizerResult result;
  result.theta = report.theta;
  result.evaluations = 1;
  result.reason = report.objective.reason;
  if (!report.objective.ok) return result;
  write_gradient_fields(problem_, report, session_.path() / "fields");
  const nlohmann::ordered_json j = gradient_json(problem_, report);
  if (session_.folder()) session_.folder()->write_json("gradient.json", j);
  result.value = report.objective.value;
  result.relative_gradient = 1;
  result.violation = worst_violation(problem_.functional->constraints(), report.constraints);
  result.feasible = result.violation <= problem_.spec["optimizer"]["constraint_tolerance"].number();
  result.converged = true;
  result.reason = "evaluated at the start, without a search: max_iterations is 0";
  return result;
}

ExitCode Run::optimize(const std::optional<Checkpoint>& from) {
  show_newton(problem_, console_);
  show_solves(problem_, console_);
  trust_.listen();
  CaseFunctional& functional = *problem_.functional;
  // A run that goes on solves this, too, forward and backward: solvers keep what they learn from their first
  // matrix, and those of a shape have none before its derivative is asked for.
  DesignVector gradient;
  const Evaluation at_start = functional.gradient(functional.start(), gradient);
  if (!at_start.ok) {
    closing_ = "the start cannot be evaluated: " + at_start.reason;
    return ExitCode::solve;
  }
  if (from) {
    require_same_start(at_start.value, *from);
    trust_.reports();  // what `certify` hears of the adjoint at the start: steps/ holds it
  } else {
    require_influence(problem_);
    if (!certify()) {
      closing_ = "the gradient is not to be trusted";
      return ExitCode::gradient_check;
    }
    if (problem_.spec["output"].has("pictures")) draw(write_start_fields(problem_, session_.path() / "fields"), "_start");
  }
  const bool once = problem_.spec["optimizer"]["max_iterations"].integer() == 0;
  const OptimizerResult optimum = once ? evaluate_once() : Search(session_, at_start.value).minimize(from);
  if (!std::isfinite(optimum.value)) {
    closing_ = "the optimisation failed: " + optimum.reason;
    return ExitCode::optimiser;
  }
  functional.forget();  // so that results do not depend on how the search came here
  const Evaluation again = functional.solve(optimum.theta);
  if (!again.ok) {
    closing_ = "the optimum cannot be evaluated again: " + again.reason;
    return ExitCode::solve;
  }
  std::optional<Uncertainty> uncertainty;
  if (problem_.sum_of_squares && problem_.constraints.empty() && functional.residual_count() > 0 && field_entries(problem_) == 0)
    uncertainty = infer(optimum.theta);
  say_fit(problem_, optimum.theta, uncertainty ? &*uncertainty : nullptr, console_);
  closing_ = optimum.reason;
  nlohmann::ordered_json results = report(optimum.theta, &optimum, uncertainty ? &*uncertainty : nullptr);
  const ExitCode verified = once || optimum.stopped ? ExitCode::ok : verify(optimum, uncertainty ? &*uncertainty : nullptr, results);
  if (verified == ExitCode::interrupted) return verified;
  const ExitCode expected = hold_to_expectations(results);
  if (optimum.stopped) {
    closing_ = "interrupted: these are the results of the best point so far; go on with 'invar resume " +
               session_.path().string() + "'";
    return ExitCode::interrupted;
  }
  return optimum.converged && verified == ExitCode::ok ? expected : ExitCode::not_converged;
}

ExitCode Run::verify(const OptimizerResult& optimum, const Uncertainty* u, nlohmann::ordered_json& results) {
  if (verified_kinds(problem_.spec).empty()) return ExitCode::ok;
  const std::optional<Verification> verification = Verifier(session_, optimum, u).verify();
  if (!verification) {
    closing_ = "interrupted while the optimum was being verified; go on with 'invar resume " + session_.path().string() + "'";
    return ExitCode::interrupted;
  }
  results["verification"] = to_json(*verification);
  if (session_.folder()) session_.folder()->write_json("results.json", results);
  closing_ += "; " + verification->verdict();
  return verification->passed() ? ExitCode::ok : ExitCode::not_converged;
}

Uncertainty Run::infer(const DesignVector& theta) {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = problem_.functional->jacobian(theta, rho, drho);
  if (!e.ok) throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  std::vector<FittedParameter> parameters;
  const DesignVector lower = problem_.functional->lower(), upper = problem_.functional->upper();
  const std::vector<DesignVariable> variables = problem_.functional->variables();
  for (std::size_t k = 0; k < theta.shared.size(); ++k) {
    const DesignVariable& d = variables[k];
    const double near = 1e-9 * std::max(1.0, std::abs(theta.shared[k]));
    parameters.push_back({d.name, d.transform, theta.shared[k],
                          theta.shared[k] - lower.shared[k] < near || upper.shared[k] - theta.shared[k] < near});
  }
  UncertaintyOptions options;
  options.known_noise = problem_.noise_known;
  return estimate_uncertainty(rho, drho, parameters, options);
}

/// A picture that cannot be made is a warning.
void Run::draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix) {
  if (!session_.folder()) return;
  for (const std::string& failure : render_pictures(problem_, fields, session_.path(), suffix)) console_.warning(failure);
}

nlohmann::ordered_json Run::report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u) {
  const std::vector<Prediction> predictions = u ? predict(problem_, theta, *u) : std::vector<Prediction>();
  const nlohmann::ordered_json results = collect_results(problem_, theta, {optimum, u, predictions, trust_});
  say_numbers(results, console_);
  if (session_.folder()) session_.folder()->write_json("results.json", results);
  if (optimum) {
    const nlohmann::ordered_json design = design_json(problem_, theta);
    if (session_.folder()) session_.folder()->write_json(design_file, design);
  }
  write_curves(problem_, session_.folder());
  if (session_.folder()) trust_.write_steps(*session_.folder());
  draw(write_fields(problem_, session_.path() / "fields"), "");
  return results;
}

ExitCode Run::hold_to_expectations(const nlohmann::ordered_json& results) {
  if (!session_.line().expect) return ExitCode::ok;
  const std::vector<std::string> failures = unmet_expectations(problem_.spec, results);
  for (const std::string& f : failures) console_.line("not as expected: " + f, Verbosity::quiet);
  if (failures.empty()) console_.line("  every expectation holds");
  else closing_ += "; " + std::to_string(failures.size()) +
                    (failures.size() == 1 ? " expectation does not hold" : " expectations do not hold");
  return failures.empty() ? ExitCode::ok : ExitCode::not_converged;
}

ExitCode execute(const CommandLine& line, bool resumed) {
  auto run = std::make_unique<Run>(line, resumed);
  try {
    return run->execute();
  } catch (...) {
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (ranks > 1) static_cast<void>(run.release());  // this rank may be alone, and the end of solvers is collective
    throw;
  }
}

/// What the spec in a run folder lists in `verify.refine`.
bool verifies(const std::filesystem::path& folder) {
  Diagnostics diagnostics;
  const spec::Value spec = spec::read_spec(folder / "resolved.yaml", {}, spec_table(), diagnostics);
  diagnostics.throw_if_any();
  return !verified_kinds(spec).empty();
}

}  // namespace

ExitCode run(const CommandLine& line) { return execute(line, false); }

ExitCode resume(const CommandLine& line) {
  const RunRecord record = RunFolder::record_in(line.spec);
  if (record.exit_code != ExitCode::ok || !line.sets.empty()) return execute(line, true);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0)
    std::cout << "The run in '" << line.spec.string() << "' has finished: " << record.reason << ". There is nothing left to do."
              << std::endl;
  return ExitCode::ok;
}

ExitCode verify(const CommandLine& line) {
  const RunRecord record = RunFolder::record_in(line.spec);
  if (record.finished.empty() || record.exit_code == ExitCode::interrupted)
    throw UsageError("the run in '" + line.spec.string() + "' has not ended: invar resume " + line.spec.string());
  CommandLine verified = line;
  const auto lists = [](const std::string& set) { return set.starts_with("verify.refine="); };
  if (std::ranges::none_of(line.sets, lists) && !verifies(line.spec)) verified.sets.push_back("verify.refine=mesh");
  return execute(verified, true);
}

}  // namespace invar
