#include "apps/invar/verbs/verifier.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "apps/invar/problem/another_start.hpp"
#include "apps/invar/problem/refined_setting.hpp"
#include "apps/invar/problem/transfer_design.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/body_checks.hpp"
#include "apps/invar/verbs/first_rank.hpp"
#include "apps/invar/verbs/one_line.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "apps/invar/verbs/search.hpp"
#include "apps/invar/verbs/verification_json.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/verify/convex_bound.hpp"

namespace invar {
namespace {

using Outcome = VerificationCheck::Outcome;
using nlohmann::ordered_json;

constexpr const char* checks_file = "verify/checks.json";

Console::Cell cell(double x, double unit = 1) { return std::isfinite(x) ? Console::Cell(unit * x) : Console::Cell(); }

}  // namespace

Verifier::Verifier(Session& session, const OptimizerResult& optimum, const Uncertainty* fitted)
    : session_(session), problem_(session.problem()), optimum_(optimum), fitted_(fitted) {
  verification_.survive = problem_.spec["verify"]["survive"].number();
  verification_.violation = problem_.spec["verify"]["violation"].number();
}

bool Verifier::asked() const { return session_.interrupted(); }

std::optional<Verification> Verifier::verify() {
  Console& console = session_.console();
  recall_checks();
  show_solves(problem_, console, &session_.interruption());
  CaseFunctional& functional = *problem_.functional;
  const bool asks = !verified_kinds(problem_.spec).empty();
  // Both with the last stage of the search.
  functional.forget();
  if (fitted_ && !functional.jacobian(optimum_.theta, fit_.rho, fit_.drho).ok) fitted_ = nullptr;
  const double at_start = asks ? functional.value(functional.start()).value : std::numeric_limits<double>::quiet_NaN();
  if (asked()) return std::nullopt;
  verification_.claimed = {at_start, optimum_.value};
  console.line("");
  console.line(asks ? "  verification of the optimum: objective at the start and at the optimum in each setting, and the share of the gain that is preserved"
                    : "  the optimum as a body of material and void, on a mesh that fits it:");
  console.table({{"setting", 12, 0}, {"at start", 13, 7}, {"at optimum", 13, 7}, {"change %", 9, 3}, {"share %", 9, 4}, {"GCI %", 9, 3}, {"violation", 10, 3}});
  console.row({std::string("run"), cell(at_start), cell(optimum_.value), Console::Cell(), Console::Cell(), Console::Cell(), optimum_.violation});
  for (const PlannedCheck& planned : plan()) {
    const auto before = std::ranges::find_if(done_, [&](const VerificationCheck& c) { return c.kind == planned.kind && c.asked == planned.asked; });
    verification_.checks.push_back(before != done_.end() ? *before : check(planned));
    if (before == done_.end()) {
      if (asked()) return std::nullopt;
      keep_checks();
    }
    show(verification_.checks.back());
    if (!planned.asked) warn_of(verification_.checks.back());
  }
  show_solves(problem_, console);
  return verification_;
}

/// A density whose cells are connected at corners is an artefact of the mesh, which a mesh of half the cell size hardly reveals;
/// hence the check `corners`. A solid's density is solved as a body, whatever is asked.
std::vector<Verifier::PlannedCheck> Verifier::plan() {
  const std::vector<std::string> kinds = verified_kinds(problem_.spec);
  std::vector<PlannedCheck> plan;
  for (const std::string& kind : kinds) plan.push_back({kind, true});
  const auto listed = [&](const char* kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  if (problem_.density && !listed("corners") && (listed("mesh") || listed("order") || listed("black_white")) && problem_.functional->value(optimum_.theta).ok &&
      problem_.density->share_on_corners(rounding_threshold(problem_)) > 0)
    plan.push_back({"corners", true});
  if (reports_body(problem_) && !listed("fitted")) plan.push_back({"fitted", false});
  return plan;
}

VerificationCheck Verifier::check(const PlannedCheck& planned) {
  const std::string& kind = planned.kind;
  session_.console().line("      verify: " + kind, Verbosity::verbose);
  BodyChecks body(session_, optimum_, verification_.claimed);
  if (!planned.asked) return body.reported(std::ranges::none_of(verification_.checks, [](const VerificationCheck& c) { return c.kind == "black_white"; }));
  if (kind == "start") return from_another_start();
  if (kind == "black_white") return body.black_white();
  if (kind == "fitted") return body.fitted();
  if (kind == "corners") return body.corners();
  if (kind == "convex") return convex();
  return refined(kind);
}

/// A body that is clearly worse than the density it was made from is no failure, but must not be overlooked.
void Verifier::warn_of(const VerificationCheck& c) {
  constexpr double notable = 0.1;
  char text[200];
  if (c.outcome == Outcome::failed) return session_.console().warning("the optimum cannot be solved as a body of material and void: " + c.reason);
  if (c.levels.empty()) return;
  if (c.kind != "fitted") session_.console().warning("the body was solved on the cells of the run: " + c.reason);
  if (c.change > notable) {
    std::snprintf(text, sizeof text, "as a body of material and void the optimum is worse than its density: the objective is %.6g instead of %.6g", c.levels.back().optimum, optimum_.value);
    session_.console().warning(text);
  }
  if (!(c.levels.back().violation <= verification_.violation)) {
    std::snprintf(text, sizeof text, "as a body of material and void the optimum violates a constraint by %.3g of its scale", c.levels.back().violation);
    session_.console().warning(text);
  }
}

VerificationCheck Verifier::refined(const std::string& kind) {
  std::vector<RefinedGain> levels;
  std::vector<ParameterShift> shifts;
  double formal = 0;
  for (int level = 1; level <= levels_of(problem_.spec, kind); ++level) {
    const RefinedSetting setting = refined_setting(problem_, kind, level);
    formal = setting.formal_order;
    try {
      Problem fine = build_problem(session_.path() / "resolved.yaml", setting.sets, PETSC_COMM_WORLD);
      show_solves(fine, session_.console(), &session_.interruption());
      const DesignVector start = transfer_design(problem_, problem_.functional->start(), fine, setting.mesh_levels);
      const DesignVector optimum = transfer_design(problem_, optimum_.theta, fine, setting.mesh_levels);
      VerificationCheck why_not;
      const std::optional<RefinedGain> gain = gain_in(fine, start, optimum, kind, why_not);
      if (!gain) return why_not;
      levels.push_back(*gain);
      if (fitted_) shifts = shifts_in(fine, optimum);
      write_fields(fine, session_.path() / "verify" / (kind + (level == 1 ? "" : "_" + std::to_string(level))));
    } catch (const SpecError& e) {
      return unmeasured_check(kind, Outcome::undecided, "the problem cannot be built with this setting: " + in_one_line(e.what()));
    } catch (const std::invalid_argument& e) {
      return unmeasured_check(kind, Outcome::undecided, e.what());
    }
  }
  VerificationCheck check = measured_check(kind, verification_.claimed, std::move(levels), formal);
  check.shifts = std::move(shifts);
  return check;
}

std::optional<RefinedGain> Verifier::gain_in(Problem& problem, const DesignVector& start, const DesignVector& optimum, const std::string& kind,
                                             VerificationCheck& why_not) {
  if (problem.staged) problem.staged->begin_stage(problem.staged->stage_count() - 1);
  const Evaluation at_start = problem.functional->value(start);
  if (!at_start.ok) {
    why_not = unmeasured_check(kind, Outcome::undecided, "the start cannot be solved: " + at_start.reason);
    return std::nullopt;
  }
  problem.functional->forget();
  const Evaluation at_optimum = problem.functional->value(optimum);
  if (!at_optimum.ok) {
    why_not = unmeasured_check(kind, Outcome::failed, at_optimum.reason);
    return std::nullopt;
  }
  return RefinedGain{at_start.value, at_optimum.value, violation_in(problem, optimum)};
}

std::vector<ParameterShift> Verifier::shifts_in(Problem& problem, const DesignVector& theta) const {
  FitLinearization there;
  if (!problem.functional->jacobian(theta, there.rho, there.drho).ok) return {};
  std::vector<VariableTransform> transforms;
  for (const DesignVariable& v : problem.functional->variables()) transforms.push_back(v.transform);
  return parameter_shifts(there, fit_, transforms, theta.shared, *fitted_);
}

VerificationCheck Verifier::convex() {
  const std::string kind = "convex";
  const ConvexBound bound = convex_bound(*problem_.functional, optimum_.theta);
  if (!bound.evaluation.ok) return unmeasured_check(kind, Outcome::undecided, bound.evaluation.reason);
  char text[200];
  std::snprintf(text, sizeof text, "no admissible design has an objective below %.10g: the duality gap is %.3g of the run's %.10g", bound.bound, bound.gap(), bound.value);
  VerificationCheck check{.kind = kind, .outcome = Outcome::described, .reason = text};
  check.gap = bound.gap();
  return check;
}

VerificationCheck Verifier::from_another_start() {
  const std::string kind = "start";
  std::string unbounded;  // there is none: the problem was refused
  const auto seed = static_cast<std::uint64_t>(problem_.spec["verify"]["seed"].integer());
  const OptimizerResult other = search_again(another_start(problem_, seed, unbounded).value());
  if (!std::isfinite(other.value)) return unmeasured_check(kind, Outcome::undecided, "the search from another start failed: " + other.reason);
  if (!other.feasible) return unmeasured_check(kind, Outcome::undecided, "the search from another start did not satisfy the constraints: " + other.reason);
  return repeated_check(kind, verification_.claimed, {verification_.claimed.start, other.value, std::max(0.0, other.violation)},
                        design_distance(problem_, optimum_.theta, other.theta));
}

OptimizerResult Verifier::search_again(const DesignVector& start) {
  OptimizerOptions options = optimizer_options(problem_);
  options.on_iteration = [&](const IterationReport&, const DesignVector&) { return !asked(); };
  OptimizerResult result;
  result.theta = start;
  const int stages = problem_.staged ? problem_.staged->stage_count() : 1;
  const std::vector<double> memory = problem_.functional->memory();
  problem_.functional->reset_adaptive_parameters();
  for (int k = 0; k < stages; ++k) {
    if (k > 0 && !problem_.functional->update_adaptive_parameters(result.theta).ok) break;
    if (problem_.staged) {
      problem_.staged->begin_stage(k);
      options.max_iterations = problem_.staged->iterations_in(k);
    }
    problem_.functional->forget();
    result = make_optimizer(optimizer_of(problem_), options)->minimize(*problem_.functional, DesignVector(result.theta));
    if (!std::isfinite(result.value) || result.stopped) break;
  }
  problem_.functional->recall(memory);
  return result;
}

/// Reads checks of an earlier process of this run, on every rank.
void Verifier::recall_checks() try {
  const std::string text = from_first_rank(PETSC_COMM_WORLD, [&] {
    std::ifstream in;
    if (session_.resumed() && session_.folder()) in.open(session_.path() / checks_file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  });
  const ordered_json kept = ordered_json::parse(text, nullptr, false);
  // Those of another optimum, or with other levels, are of no use.
  if (!kept.is_object() || kept.value("objective", ordered_json()) != ordered_json(optimum_.value) ||
      kept.value("levels", -1) != problem_.spec["verify"]["levels"].integer() || kept.value("seed", -1) != problem_.spec["verify"]["seed"].integer())
    return;
  for (const ordered_json& check : kept.at("checks")) done_.push_back(verification_check(check));
} catch (const ordered_json::exception&) {  // damaged: all checks are repeated
  done_.clear();
}

void Verifier::keep_checks() {
  ordered_json kept = {{"objective", optimum_.value}, {"levels", problem_.spec["verify"]["levels"].integer()},
                       {"seed", problem_.spec["verify"]["seed"].integer()}, {"checks", ordered_json::array()}};
  std::vector<VerificationCheck> all = verification_.checks;
  for (const VerificationCheck& c : done_)
    if (std::ranges::none_of(all, [&](const VerificationCheck& other) { return other.kind == c.kind && other.asked == c.asked; })) all.push_back(c);
  for (const VerificationCheck& c : all) kept["checks"].push_back(to_json(c));
  if (session_.folder()) session_.folder()->write_json(checks_file, kept);
}

void Verifier::show(const VerificationCheck& c) {
  Console& console = session_.console();
  const RefinedGain finest = c.levels.empty() ? RefinedGain{NAN, NAN, NAN} : c.levels.back();
  console.row({c.kind, cell(finest.start), cell(finest.optimum), cell(c.change, 100), cell(c.share, 100),
               c.convergence ? cell(c.convergence->gci, 100) : Console::Cell(), cell(finest.violation)});
  for (const auto& [name, value] : c.constraints) console.line("      constraint " + name + ": " + plain_number(value));
  for (const auto& [name, value] : c.quantities) console.line("      " + name + ": " + number_text(value));
  char text[200];
  if (c.convergence && std::isfinite(c.convergence->order)) {
    std::snprintf(text, sizeof text, "      observed order %.2f, extrapolated objective %.8g, grid convergence index of the run %.3g %%", c.convergence->order,
                  c.convergence->limit, 100 * c.convergence->gci_of_run);
    console.line(text);
  }
  for (const ParameterShift& s : c.shifts) {
    std::snprintf(text, sizeof text, "      %s: %.7g becomes %.7g, a change of %.2g half widths of its interval", s.name.c_str(), s.value, s.shifted, s.of_interval);
    console.line(text);
  }
  if (c.reason.empty()) return;
  const char* before = c.outcome == Outcome::undecided ? "      cannot tell, because " : c.outcome == Outcome::failed ? "      not solved: " : "      ";
  console.line(before + c.reason);
}

}  // namespace invar
