#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

#include "apps/invar/report/console.hpp"
#include "apps/invar/report/csv.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_record.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "apps/invar/verbs/certificate_json.hpp"
#include "apps/invar/verbs/exit_code_of.hpp"
#include "apps/invar/verbs/influence.hpp"
#include "apps/invar/verbs/interruption.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libadjoint/optimize/multi_start.hpp"

namespace invar {
namespace {

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", v);
  return text;
}

/// The largest difference between adjoint and tangent.
double worst_difference(const Certificate& certificate) {
  double worst = 0;
  for (const CertificateEntry& e : certificate.entries) worst = std::max(worst, e.measured);
  return worst;
}

/// The designed numbers, not all of many, and how large the fields are.
std::string design_summary(const CaseFunctional& functional) {
  const std::vector<std::string> names = functional.names();
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < names.size() && (names.size() <= most || k < 3); ++k) text += (k ? ", " : "") + names[k];
  if (names.size() > most) text += ", … (" + std::to_string(names.size()) + " numbers)";
  long long entries = static_cast<long long>(functional.start().local.size());
  MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_LONG_LONG, MPI_SUM, functional.comm());
  if (entries > 0) text += (text.empty() ? "" : ", ") + grouped(entries) + " entries of a field";
  return text;
}

/// One run from the spec to its folder. Everybody computes; rank 0 speaks and writes.
class Run {
 public:
  explicit Run(const CommandLine& line)
      : line_(line), problem_(build_problem(line.spec, line.sets, PETSC_COMM_WORLD)),
        console_(rank() == 0 ? &std::cout : nullptr, static_cast<Verbosity>(line.verbosity)) {}

  /// What is thrown on the way is noted in run.json and thrown on.
  ExitCode execute() {
    open();
    try {
      const ExitCode code = problem_.functional->has_design() ? optimize() : simulate();
      return finish(code);
    } catch (const std::exception& e) {
      record(exit_code_of(e, !line_.petsc_options.empty()), e.what());
      throw;
    }
  }

 private:
  static int rank() {
    int r = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &r);
    return r;
  }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  void open();
  void watch_load_steps();
  void follow_newton();
  ExitCode simulate();
  ExitCode optimize();
  bool certify();
  std::string method() const;
  OptimizerResult minimize();
  OptimizerResult minimize_in_stages(OptimizerOptions options);
  Uncertainty infer(const DesignVector& theta);
  void say_fit(const DesignVector& theta, const Uncertainty* u);
  void say_numbers(const nlohmann::ordered_json& results);
  void draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix);
  ExitCode report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u);
  void warn_of_unused_options();
  void record(ExitCode code, const std::string& reason);
  ExitCode finish(ExitCode code);

  CommandLine line_;
  Problem problem_;
  Console console_;
  std::filesystem::path out_ = line_.out.value_or(RunFolder::default_for(line_.spec));
  std::optional<RunFolder> folder_;  // on rank 0
  RunRecord record_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::string closing_;
};

void Run::open() {
  record_.version = INVAR_VERSION;
  char petsc[128];
  check(PetscGetVersion(petsc, sizeof petsc));
  record_.libraries["PETSc"] = petsc;
  record_.spec = line_.spec.string();
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) record_.host = host;
  for (const std::string& s : line_.sets) record_.command.push_back("--set " + s);
  MPI_Comm_size(PETSC_COMM_WORLD, &record_.ranks);
  record_.seed = static_cast<unsigned long long>(problem_.spec["optimizer"]["seed"].integer());
  record_.started = RunRecord::now();
  if (rank() == 0) {
    folder_.emplace(out_, std::vector<std::filesystem::path>{line_.spec});
    folder_->write_json("run.json", record_.json());
    std::ifstream input(line_.spec);
    std::stringstream text;
    text << input.rdbuf();
    folder_->write("input.yaml", text.str());
    folder_->write("resolved.yaml", problem_.spec.yaml());
    console_.open_log(folder_->file("log.txt"));
  }
  console_.banner(INVAR_VERSION, problem_.title);
  for (const CaseModel& c : problem_.cases)
    console_.summary("case " + c.name, grouped(c.dofs->n_global()) + " unknowns, " + std::to_string(c.times.size()) +
                                           (c.times.size() == 1 ? " load step, " : " load steps, ") +
                                           std::to_string(c.process->residual_count()) + " data");
  if (problem_.functional->has_design()) {
    console_.summary("design", design_summary(*problem_.functional));
  }
  console_.summary("processes", std::to_string(record_.ranks));
}

void Run::watch_load_steps() {
  console_.table({{"case", 16, 0}, {"step", 6, 0}, {"t", 12, 6}, {"Newton", 7, 0}, {"residual", 10, 3}, {"seconds", 9, 3}});
  for (CaseModel& c : problem_.cases)
    c.process->on_step = [this, &c](int step, const NewtonReport& newton) {
      console_.row({c.name, static_cast<long long>(step + 1), c.times[step],
                    static_cast<long long>(newton.iterations + 1),  // the predictor is one more
                    newton.residuals.empty() ? 0.0 : newton.residuals.back(), seconds()});
    };
}

/// For -v: how Newton's method came to every state that the optimiser asked for.
void Run::follow_newton() {
  for (CaseModel& c : problem_.cases)
    c.process->on_step = [this, &c](int step, const NewtonReport& newton) {
      std::string text = "      case " + c.name + ", t = " + number_text(c.times[step]) + ": residuals";
      for (double r : newton.residuals) text += " " + short_number(r);
      console_.line(text, Verbosity::verbose);
    };
}

ExitCode Run::simulate() {
  watch_load_steps();
  const DesignVector nothing;
  const Evaluation e = problem_.functional->solve(nothing);
  if (!e.ok) {
    closing_ = "not solved: " + e.reason;
    return ExitCode::solve;
  }
  closing_ = "solved";
  return report(nothing, nullptr, nullptr);
}

/// The optimiser by name; `auto` goes by what is to be done.
std::string Run::method() const {
  const std::string named = problem_.spec["optimizer"]["method"].text();
  if (named != "auto") return named;
  int fields = static_cast<int>(problem_.functional->start().local.size());  // of this rank
  MPI_Allreduce(MPI_IN_PLACE, &fields, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  if (!problem_.constraints.empty()) return fields ? "mma" : "sqp";
  return problem_.sum_of_squares && !fields ? "levenberg_marquardt" : "quasi_newton";
}

/// One optimisation after the other, each with a stage of the design's own; counts go on.
OptimizerResult Run::minimize_in_stages(OptimizerOptions options) {
  OptimizerResult result;
  result.theta = problem_.functional->start();
  const auto report = options.on_iteration;
  for (std::size_t k = 0; k < problem_.stages.size(); ++k) {
    const DesignStage& stage = problem_.stages[k];
    problem_.density->set_stage(stage.density);
    problem_.functional->forget();
    const OptimizerResult before = result;
    options.max_iterations = stage.iterations;
    options.on_iteration = [&](IterationReport it, const DesignVector& theta) {
      it.iteration += before.iterations;
      it.evaluations += before.evaluations;
      it.rejected += before.rejected;
      return report(it, theta);
    };
    console_.line("  stage " + std::to_string(k + 1) + ": steepness " + number_text(stage.density.steepness) + ", convexity " +
                  number_text(stage.density.convexity));
    result = make_optimizer(method(), options)->minimize(*problem_.functional, before.theta);
    result.iterations += before.iterations;
    result.evaluations += before.evaluations;
    result.rejected += before.rejected;
    if (!std::isfinite(result.value) || result.stopped) return result;
  }
  if (!result.converged && result.feasible) {  // a stage's limit is its plan, no failure
    result.converged = true;
    result.reason = "every stage has run";
  }
  return result;
}

OptimizerResult Run::minimize() {
  const spec::Value& o = problem_.spec["optimizer"];
  OptimizerOptions options;
  options.max_iterations = static_cast<int>(o["max_iterations"].integer());
  options.gradient_tolerance = o["gradient_tolerance"].number();
  options.function_tolerance = o["function_tolerance"].number();
  options.step_tolerance = o["step_tolerance"].number();
  options.constraint_tolerance = o["constraint_tolerance"].number();
  options.max_move = o["max_move"].number();
  std::optional<CsvWriter> history;
  if (folder_) {
    std::vector<std::string> columns = {"iteration", "objective", "relative_gradient", "violation", "step", "evaluations", "rejected", "seconds"};
    for (const std::string& name : problem_.functional->names()) columns.push_back(name);
    history.emplace(folder_->file("history.csv"), columns);
  }
  IterationFields iterates(problem_, out_ / "fields");
  const Interruption interruption;
  console_.table(iteration_columns());
  options.on_iteration = [&](const IterationReport& it, const DesignVector& theta) {
    console_.row({static_cast<long long>(it.iteration), it.value, it.violation, it.relative_gradient, it.step,
                  static_cast<long long>(it.evaluations), it.seconds});
    if (history) {
      std::vector<double> row = {double(it.iteration), it.value, it.relative_gradient, it.violation, it.step, double(it.evaluations), double(it.rejected), it.seconds};
      for (double p : problem_.functional->physical(theta)) row.push_back(p);
      history->row(row);
    }
    iterates.add(it.iteration, theta);
    return !interruption.asked();
  };
  const std::unique_ptr<Optimizer> optimizer = make_optimizer(method(), options);
  const int starts = static_cast<int>(o["starts"].integer());
  if (!problem_.stages.empty()) return minimize_in_stages(options);
  if (starts == 1) return optimizer->minimize(*problem_.functional, problem_.functional->start());

  MultiStartOptions multi{starts, static_cast<std::uint64_t>(o["seed"].integer()), {}, {}};
  for (std::size_t k = 0; k < problem_.ranges.size(); ++k) {
    const auto bounds = problem_.numbers->entries()[k].transform.bounds(problem_.ranges[k][0], problem_.ranges[k][1]);
    multi.lower.push_back(bounds[0]);
    multi.upper.push_back(bounds[1]);
  }
  const MultiStartResult result = multi_start(*optimizer, *problem_.functional, problem_.functional->start(), multi);
  for (std::size_t i = 0; i < result.results.size(); ++i) {
    const OptimizerResult& r = result.results[i];
    char text[160];
    std::snprintf(text, sizeof text, "  start %2zu: objective %.8g, %s%s", i + 1, r.value, r.reason.c_str(),
                  static_cast<int>(i) == result.best_start ? "   <- best" : "");
    console_.line(text);
  }
  return result.best;
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

void Run::say_fit(const DesignVector& theta, const Uncertainty* u) {
  const std::vector<double> p = problem_.functional->physical(theta);
  const std::vector<DesignVariable> variables = problem_.functional->variables();
  console_.line("");
  char text[200];
  for (std::size_t k = 0; k < p.size(); ++k) {
    const DesignVariable& d = variables[k];
    if (u && std::isfinite(u->parameters[k].standard_error))
      std::snprintf(text, sizeof text, "  %-28s %14.7g ± %.2g   95 %% in [%.5g, %.5g]", d.name.c_str(), p[k],
                    u->parameters[k].standard_error, u->parameters[k].lower, u->parameters[k].upper);
    else
      std::snprintf(text, sizeof text, "  %-28s %14.7g%s", d.name.c_str(), p[k],
                    !u ? "" : u->parameters[k].at_bound ? "   at its bound" : "   not identifiable from these data");
    console_.line(text);
  }
  if (!u) return;
  if (p.size() > 1) {
    console_.line("  correlations:", Verbosity::normal);
    for (std::size_t i = 0; i < p.size(); ++i) {
      std::string row = "   ";
      for (std::size_t j = 0; j <= i; ++j) {
        std::snprintf(text, sizeof text, " %7.3f", u->correlation(i, j));
        row += text;
      }
      console_.line(row);
    }
  }
  for (const std::string& finding : u->findings) console_.warning(finding);
}

/// Every run proves its gradient, at the start: at an optimum there is nothing left to compare.
bool Run::certify() {
  const Certificate certificate = certify_problem(problem_, problem_.functional->start(), false);
  if (folder_) folder_->write_json("certificate.json", to_json(certificate));
  if (certificate.passed()) console_.summary("gradient", "adjoint and tangent agree to " + short_number(worst_difference(certificate)));
  else console_.warning("the gradient certificate failed:\n" + certificate.table());
  return certificate.passed();
}

ExitCode Run::optimize() {
  follow_newton();
  const Evaluation at_start = problem_.functional->solve(problem_.functional->start());
  if (!at_start.ok) {
    closing_ = "the start cannot be evaluated: " + at_start.reason;
    return ExitCode::solve;
  }
  require_influence(problem_);
  if (!certify()) {
    closing_ = "the gradient is not to be trusted";
    return ExitCode::gradient_check;
  }
  if (problem_.spec["output"].has("pictures")) draw(write_start_fields(problem_, out_ / "fields"), "_start");
  const OptimizerResult optimum = minimize();
  if (!std::isfinite(optimum.value)) {
    closing_ = "the optimisation failed: " + optimum.reason;
    return ExitCode::optimiser;
  }
  const Evaluation again = problem_.functional->solve(optimum.theta);
  if (!again.ok) {
    closing_ = "the optimum cannot be evaluated again: " + again.reason;
    return ExitCode::solve;
  }
  std::optional<Uncertainty> uncertainty;
  if (problem_.sum_of_squares && problem_.constraints.empty() && problem_.functional->residual_count() > 0)
    uncertainty = infer(optimum.theta);
  say_fit(optimum.theta, uncertainty ? &*uncertainty : nullptr);
  closing_ = optimum.reason;
  const ExitCode code = report(optimum.theta, &optimum, uncertainty ? &*uncertainty : nullptr);
  if (optimum.stopped) {
    closing_ = "interrupted: these are the results of the best point so far";
    return ExitCode::interrupted;
  }
  if (code == ExitCode::ok && !optimum.converged) return ExitCode::not_converged;
  return code;
}

/// Probes, quantities, constraints and errors.
void Run::say_numbers(const nlohmann::ordered_json& results) {
  const auto say = [&](const std::string& name, double value) {
    char text[120];
    std::snprintf(text, sizeof text, "  %-24s %.10g", name.c_str(), value);
    console_.line(text);
  };
  for (const char* section : {"probes", "quantities"})
    if (results.contains(section))
      for (const auto& [name, value] : results[section].items()) say(name, value.get<double>());
  if (results.contains("constraints"))
    for (const auto& [name, of] : results["constraints"].items()) say(name, of["value"].get<double>());
  if (results.contains("errors"))
    for (const auto& [name, of] : results["errors"].items())
      for (const auto& [norm, value] : of.items()) say(name + " " + norm, value.get<double>());
}

/// A picture that cannot be made is a warning.
void Run::draw(const std::vector<std::filesystem::path>& fields, const std::string& suffix) {
  if (rank() != 0) return;
  for (const std::string& failure : render_pictures(problem_, fields, out_, suffix)) console_.warning(failure);
}

ExitCode Run::report(const DesignVector& theta, const OptimizerResult* optimum, const Uncertainty* u) {
  const nlohmann::ordered_json results = collect_results(problem_, theta, optimum, u);
  if (problem_.has_objective) {
    char text[120];
    std::snprintf(text, sizeof text, "  objective %.10g, sum of squared differences %.10g", results["objective"].get<double>(),
                  results["sum_of_squares"].get<double>());
    console_.line(text);
  }
  say_numbers(results);
  if (folder_) folder_->write_json("results.json", results);
  write_curves(problem_, folder_ ? &*folder_ : nullptr);
  draw(write_fields(problem_, out_ / "fields"), "");
  if (!line_.expect) return ExitCode::ok;
  const std::vector<std::string> failures = unmet_expectations(problem_.spec, results);
  for (const std::string& f : failures) console_.line("not as expected: " + f, Verbosity::quiet);
  if (failures.empty()) console_.line("  every expectation holds");
  else closing_ += "; " + std::to_string(failures.size()) +
                    (failures.size() == 1 ? " expectation does not hold" : " expectations do not hold");
  return failures.empty() ? ExitCode::ok : ExitCode::not_converged;
}

void Run::record(ExitCode code, const std::string& reason) {
  record_.finished = RunRecord::now();
  record_.seconds = seconds();
  record_.exit_code = code;
  record_.reason = reason;
  if (folder_) folder_->write_json("run.json", record_.json());
}

/// PETSc options that nothing asks for; whether those of the program's solvers are asked for is not known.
void Run::warn_of_unused_options() {
  PetscInt n = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &n, &names, &values));
  for (PetscInt i = 0; i < n; ++i)
    if (!std::string(names[i]).starts_with("invar_"))
      console_.line("warning: PETSc option -" + std::string(names[i]) + " was not used; the program's begin with -invar_",
                    Verbosity::quiet);
  check(PetscOptionsLeftRestore(nullptr, &n, &names, &values));
}

ExitCode Run::finish(ExitCode code) {
  warn_of_unused_options();
  record(code, closing_);
  if (folder_) {
    console_.line("  written to " + folder_->path().string());
  }
  console_.closing(closing_ + " (" + duration_text(seconds()) + ")");
  return code;
}

}  // namespace

ExitCode run(const CommandLine& line) {
  auto run = std::make_unique<Run>(line);
  try {
    return run->execute();
  } catch (...) {
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (ranks > 1) static_cast<void>(run.release());  // this rank may be alone, and the end of solvers is collective
    throw;
  }
}

}  // namespace invar
