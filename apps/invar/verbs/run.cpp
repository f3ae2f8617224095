#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/invar/problem/build_start.hpp"
#include "apps/invar/problem/refined_setting.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/spec/validate.hpp"
#include "apps/invar/verbs/body_checks.hpp"
#include "apps/invar/verbs/curves.hpp"
#include "apps/invar/verbs/exit_code_of.hpp"
#include "apps/invar/verbs/first_rank.hpp"
#include "apps/invar/verbs/held_out.hpp"
#include "apps/invar/verbs/influence.hpp"
#include "apps/invar/verbs/noise.hpp"
#include "apps/invar/verbs/posterior.hpp"
#include "apps/invar/verbs/posterior_series.hpp"
#include "apps/invar/verbs/prediction.hpp"
#include "apps/invar/verbs/prepared_run.hpp"
#include "apps/invar/verbs/quantity_convergence.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "apps/invar/verbs/remaining_work.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "apps/invar/verbs/search.hpp"
#include "apps/invar/verbs/start_of_run.hpp"
#include "apps/invar/verbs/steady_solves.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "apps/invar/verbs/verification_json.hpp"
#include "apps/invar/verbs/verifier.hpp"
#include "apps/invar/verbs/weight_report.hpp"
#include "libadjoint/inference/fitted_parameters.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

/// One run from the spec to its folder, or the rest of one from its folder.
class Run final : public PreparedRun {
 public:
  Run(const CommandLine& line, bool resumed)
      : session_(line, resumed), problem_(session_.problem()), console_(session_.console()), trust_(problem_), solves_(problem_) {}

  /// Exceptions are recorded in run.json and rethrown.
  ExitCode execute() override {
    std::vector<std::string> damaged;
    std::optional<Checkpoint> from;
    if (session_.resumed()) {
      from = read_checkpoint(CheckpointFolder(session_.path() / "checkpoints"), PETSC_COMM_WORLD, damaged);
      if (from) require_same(problem_.spec, session_.line().petsc_options, from->identity);
    }
    if (session_.interrupted()) {  // while the problem was built
      console_.closing("interrupted before the run began");
      return ExitCode::interrupted;
    }
    session_.open();
    if (problem_.spec.has("sweep"))
      console_.line("  the spec's section 'sweep' is for 'invar sweep': this is a single run with the values outside of it");
    for (const std::string& file : damaged)
      console_.warning("'" + file + "' is damaged; the run continues from " + (from ? "the checkpoint before" : "its start"));
    if (session_.resumed() && damaged.empty() && !from) console_.line("  there is no checkpoint: the run begins at its start");
    try {
      const ExitCode code = problem_.functional->has_design() ? optimize(from) : simulate();
      return session_.finish(code, closing_);
    } catch (const std::exception& e) {
      const ExitCode code = exit_code_of(e, !session_.line().petsc_options.empty());
      if (code != ExitCode::io && code != ExitCode::interrupted && session_.cut_short_for_all()) return session_.finish(broken_off(), closing_);
      if (code != ExitCode::interrupted) session_.record(code, e.what());  // else the folder is another's
      throw;
    }
  }
  void leave() override { session_.leave(); }
  Session& session() override { return session_; }

 private:
  ExitCode broken_off();
  ExitCode break_off(const OptimizerResult& best);
  ExitCode simulate();
  ExitCode refine(nlohmann::ordered_json& results);
  ExitCode optimize(const std::optional<Checkpoint>& from);
  Uncertainty infer(const DesignVector& theta);
  void draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix);
  nlohmann::ordered_json report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u);
  ExitCode verify(const OptimizerResult& optimum, const Uncertainty* u, nlohmann::ordered_json& results);
  ExitCode hold_to_expectations(const nlohmann::ordered_json& results);

  Session session_;
  Problem& problem_;
  Console& console_;
  ProcessAccuracy trust_;
  std::optional<Posterior> posterior_;  // of fields with a prior
  std::vector<HeldOutData> held_out_;  // after `infer`
  std::vector<PredictionBand> bands_;  // of the problem's curves, likewise
  SteadySolves solves_;
  std::string closing_;
};

ExitCode Run::simulate() {
  show_load_steps(problem_, console_);
  show_solves(problem_, console_, &session_.interruption());
  trust_.listen();
  solves_.listen();
  const DesignVector nothing;
  const Evaluation e = problem_.functional->solve(nothing);
  show_solves(problem_, console_);
  if (!e.ok && session_.cut_short()) {
    const int written = write_solved_states(problem_, session_.path() / "fields");
    if (session_.folder()) trust_.write_steps_taken(*session_.folder());
    std::string reached;
    for (const CaseModel& model : problem_.cases)
      if (const std::vector<int> states = model.process->states_at_hand(); !states.empty())
        reached += ", case " + model.name + " to t = " + number_text(model.times[states.back()]) + " of " + number_text(model.times.back());
    closing_ = "interrupted" + (written > 0 ? reached + ": the fields of the solved states are written" : ": " + e.reason);
    return ExitCode::interrupted;
  }
  if (!e.ok) {
    closing_ = "not solved: " + e.reason;
    return ExitCode::solve;
  }
  closing_ = "solved";
  say_digits(problem_, console_);
  if (const nlohmann::ordered_json processes = trust_.reports(); !processes.is_null()) {
    say_trust(processes, console_);
    if (session_.folder()) session_.folder()->write_json("certificate.json", {{"processes", processes}});
  }
  nlohmann::ordered_json results = report(nothing, nullptr, nullptr);
  const ExitCode refined = refine(results);
  if (refined == ExitCode::interrupted) return refined;
  const ExitCode expected = hold_to_expectations(results);
  return refined == ExitCode::ok ? expected : refined;
}

/// How the numbers of a simulation change in the settings of `verify.refine`.
ExitCode Run::refine(nlohmann::ordered_json& results) {
  if (verified_kinds(problem_.spec).empty()) return ExitCode::ok;
  QuantityConvergence convergence(session_, results);
  nlohmann::ordered_json found = convergence.find();
  if (found.is_null()) {
    closing_ = "interrupted while it was solved in other settings; the results of the run are written";
    return ExitCode::interrupted;
  }
  results["convergence"] = std::move(found);
  if (session_.folder()) session_.folder()->write_json("results.json", results);
  if (!convergence.complete()) closing_ += "; not solved in every setting of 'verify.refine'";
  return convergence.complete() ? ExitCode::ok : ExitCode::not_converged;
}

ExitCode Run::optimize(const std::optional<Checkpoint>& from) {
  show_newton(problem_, console_);
  show_solves(problem_, console_, &session_.interruption());
  trust_.listen();
  solves_.listen();
  CaseFunctional& functional = *problem_.functional;
  // Resumed runs also solve this, forward and backward, because solvers store data from their first matrix, and those of a shape
  // get it at the first derivative.
  DesignVector gradient;
  const Evaluation at_start = functional.gradient(functional.start(), gradient);
  if (!at_start.ok && session_.cut_short()) return broken_off();
  if (!at_start.ok) {
    closing_ = "the start cannot be evaluated: " + at_start.reason;
    return ExitCode::solve;
  }
  if (from) {
    require_same_start(session_, at_start.value, *from);
    trust_.reports();  // what `certify_start` hears of the adjoint at the start: steps/ holds it
  } else {
    require_influence(problem_);
    const bool certified = certify_start(session_, trust_);
    if (session_.cut_short()) return broken_off();
    if (!certified) {
      closing_ = "the gradient check failed";
      return ExitCode::gradient_check;
    }
    if (wants_pictures(problem_)) draw(write_start_fields(problem_, session_.path() / "fields"), "_start");
  }
  functional.forget();  // a resumed run has no certificate, whose solves change the last digits
  const bool once = problem_.spec["optimizer"]["max_iterations"].integer() == 0;
  const OptimizerResult optimum = once ? evaluate_start(session_) : Search(session_, at_start.value).minimize(from);
  if (optimum.stopped) return break_off(optimum);
  if (!std::isfinite(optimum.value)) {
    closing_ = "the optimisation failed: " + optimum.reason;
    return ExitCode::optimiser;
  }
  functional.forget();  // results must not depend on the path of the search
  const Evaluation again = functional.solve(optimum.theta);
  if (!again.ok && session_.cut_short()) return broken_off();
  if (!again.ok) {
    closing_ = "the optimum cannot be evaluated again: " + again.reason;
    return ExitCode::solve;
  }
  std::optional<Uncertainty> uncertainty;
  const bool is_fit = problem_.sum_of_squares && problem_.constraints.empty() && functional.residual_count() > 0 && field_entries(problem_) == 0;
  if (is_fit && problem_.is_measured) uncertainty = infer(optimum.theta);
  posterior_ = find_posterior(problem_, optimum.theta);
  if (session_.cut_short()) return broken_off();
  say_fit(problem_, optimum.theta, uncertainty ? &*uncertainty : nullptr, console_);
  if (is_fit && !problem_.is_measured) console_.line("  no intervals: a 'target' or a formula without 'noise' is a design goal, not a measurement");
  say_weight(weight_json(problem_), console_);
  if (posterior_) say_posterior(*posterior_, console_);
  if (once && uncertainty) console_.line("  these errors are those of a fit that ends at these values, i.e. what such data can determine");
  closing_ = optimum.reason;
  nlohmann::ordered_json results = report(optimum.theta, &optimum, uncertainty ? &*uncertainty : nullptr);
  const ExitCode verified = once ? ExitCode::ok : verify(optimum, uncertainty ? &*uncertainty : nullptr, results);
  if (verified == ExitCode::interrupted) return verified;
  const ExitCode expected = hold_to_expectations(results);
  return optimum.converged && verified == ExitCode::ok ? expected : ExitCode::not_converged;
}

/// The last solve was aborted: only the newest checkpoint is available.
ExitCode Run::broken_off() {
  closing_ = "interrupted; continue with 'invar resume " + session_.path().string() + "'";
  return ExitCode::interrupted;
}

/// Writes the results of the best point so far if that is fast, as an interrupted run must end soon. The checkpoint has already
/// been written.
ExitCode Run::break_off(const OptimizerResult& best) {
  constexpr double patience = 4;  // seconds after the signal
  show_solves(problem_, console_, &session_.interruption(), patience);
  CaseFunctional& functional = *problem_.functional;
  functional.forget();
  if (!std::isfinite(best.value) || !functional.solve(best.theta).ok) return broken_off();
  say_fit(problem_, best.theta, nullptr, console_);
  report(best.theta, &best, nullptr);
  closing_ = "interrupted: these are the results of the best point so far; continue with 'invar resume " + session_.path().string() + "'";
  return ExitCode::interrupted;
}

ExitCode Run::verify(const OptimizerResult& optimum, const Uncertainty* u, nlohmann::ordered_json& results) {
  if (verified_kinds(problem_.spec).empty() && !reports_body(problem_)) return ExitCode::ok;
  const std::optional<Verification> verification = Verifier(session_, optimum, u).verify();
  if (!verification) {
    closing_ = "interrupted during the verification of the optimum; continue with 'invar resume " + session_.path().string() + "'";
    return ExitCode::interrupted;
  }
  results["verification"] = to_json(*verification);
  if (session_.folder()) session_.folder()->write_json("results.json", results);
  if (verification->asked()) closing_ += "; " + verification->verdict();
  return verification->passed() ? ExitCode::ok : ExitCode::not_converged;
}

Uncertainty Run::infer(const DesignVector& theta) {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = problem_.functional->jacobian(theta, rho, drho);
  if (!e.ok) throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  const CaseFunctional& functional = *problem_.functional;
  UncertaintyOptions options = uncertainty_options(functional, problem_.noise_known, problem_.mean_squares);
  options.places = measured_places(problem_);
  Uncertainty u = estimate_uncertainty(rho, drho, fitted_parameters(functional, theta), options);
  for (const std::string& goal : problem_.goals)
    u.findings.push_back("'" + goal + "' is a goal (wanted values without noise), but the intervals treat it as measured values with a standard deviation of 1");
  std::ranges::move(doubts_about_curves(problem_), std::back_inserter(u.findings));
  held_out_ = predict_held_out(problem_, theta, u, console_);
  bands_ = bands_of_curves(problem_, theta, drho, u, held_out_);
  return u;
}

/// A failed picture is a warning.
void Run::draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix) {
  if (!session_.folder() || session_.interruption().asked()) return;  // they take seconds
  for (const std::string& failure : render_pictures(problem_, fields, session_.path(), suffix)) console_.warning(failure);
}

nlohmann::ordered_json Run::report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u) {
  const Posterior* posterior = posterior_ ? &*posterior_ : nullptr;
  std::vector<Prediction> predictions, of_probes;
  QuantityBands of_quantities;
  const auto with = [&](const auto& distribution) {
    predictions = predict(problem_, problem_.quantities, theta, distribution);
    of_probes = predict(problem_, problem_.probes, theta, distribution);
  };
  if (posterior) with(*posterior);
  if (u) {
    with(*u);
    of_quantities = bands_of_quantities(problem_, theta, *u);
    if (!of_quantities.reason.empty()) console_.warning("no confidence bands of curves: " + of_quantities.reason);
  }
  nlohmann::ordered_json results = collect_results(problem_, theta, {optimum, u, posterior, predictions, of_probes, trust_, solves_});
  if (!held_out_.empty()) results["held_out"] = held_out_json(held_out_);
  say_numbers(results, console_);
  say_held_out(held_out_, console_);
  for (const Quantity& q : problem_.quantities)
    if (!std::isfinite(results["quantities"][q.name].get<double>())) console_.warning(why_undefined(problem_, q));
  for (const CaseModel& model : problem_.cases)
    model.process->with_state(model.last_step(), [&](const EvaluationPoint& state) {
      for (const std::string& text : model.physics->warnings(model, state)) console_.warning(text);
    });
  if (posterior) write_posterior_series(problem_, *posterior, theta, session_.path() / "fields", results["posterior"]);
  if (session_.folder()) session_.folder()->write_json("results.json", results);
  if (session_.folder()) write_l_curve(weight_json(problem_), *session_.folder());
  if (optimum) {
    const nlohmann::ordered_json design = design_json(problem_, theta);
    if (session_.folder()) session_.folder()->write_json(design_file, design);
  }
  write_curves(problem_, bands_, held_out_, of_quantities, session_.folder());
  for (const auto& [name, of_case] : results["cases"].items())
    if (of_case.contains("solve"))
      if (const std::string words = solve_line(of_case["solve"]); !words.empty()) console_.summary("case " + name, words);
  trust_.note_steps();
  if (session_.folder()) {
    trust_.write_steps(*session_.folder());
    solves_.write_steps(*session_.folder());
  }
  write_states(problem_, session_.folder());
  draw(write_fields(problem_, session_.path() / "fields", posterior), "");
  return results;
}

ExitCode Run::hold_to_expectations(const nlohmann::ordered_json& results) {
  if (!session_.line().expect) return ExitCode::ok;
  const std::vector<std::string> failures = unmet_expectations(problem_.spec, results);
  for (const std::string& f : failures) console_.line("expectation failed: " + f, Verbosity::quiet);
  if (failures.empty()) console_.line("  all expectations hold");
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
    run->leave();
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

/// Throws if the folder is in use, as records of a running run are not final. On the first rank only, because a late rank would
/// find the lock of the first.
void require_free(const std::filesystem::path& folder) {
  from_first_rank(PETSC_COMM_WORLD, [&] {
    const RunLock::State lock = RunLock::look(folder);
    if (lock.kind == RunLock::State::Kind::live) RunLock::refuse(folder, lock);
    return std::string();
  });
}

}  // namespace

std::unique_ptr<PreparedRun> prepare_run(const CommandLine& line) { return std::make_unique<Run>(line, false); }

ExitCode run(const CommandLine& line) {
  if (!line.resume) return execute(line, false);
  const RemainingWork left = RemainingWork::of(line, PETSC_COMM_WORLD);
  CommandLine rest = line;
  switch (left.kind) {
    case RemainingWork::Kind::whole: return execute(line, false);
    case RemainingWork::Kind::rest:
      rest.spec = left.folder;
      rest.sets.clear();  // its resolved.yaml has them
      return execute(rest, true);
    case RemainingWork::Kind::nothing: break;
  }
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::cout << left.description << std::endl;
  return left.code;
}

ExitCode resume(const CommandLine& line) {
  const RunRecord record = RunFolder::record_in(line.spec);
  require_free(line.spec);
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
  require_free(line.spec);
  if (record.finished.empty() || record.exit_code == ExitCode::interrupted)
    throw UsageError("the run in '" + line.spec.string() + "' has not ended: invar resume " + line.spec.string());
  CommandLine verified = line;
  const auto lists = [](const std::string& set) { return set.starts_with("verify.refine="); };
  if (std::ranges::none_of(line.sets, lists) && !verifies(line.spec)) verified.sets.push_back("verify.refine=mesh");
  return execute(verified, true);
}

}  // namespace invar
