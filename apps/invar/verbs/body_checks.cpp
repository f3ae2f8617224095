#include "apps/invar/verbs/body_checks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/invar/problem/fitted_problem.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/quantity_value.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/run_messages.hpp"
#include "apps/invar/verbs/one_line.hpp"
#include "libadjoint/optimize/worst_violation.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/design/field/member_size.hpp"

namespace invar {
namespace {

using Outcome = VerificationCheck::Outcome;

/// Nodes at which the body continues beyond its boundary (symmetry), or is supported.
std::vector<char> held_nodes(const CaseModel& model) {
  std::vector<char> held(model.mesh->node_total(), 0);
  for (const DirichletCondition& c : model.residual->dirichlet_conditions())
    if (const Region* region = c.outside ? nullptr : model.mesh->find_region(c.region))
      for (const int node : region->nodes) held[node] = 1;
  return held;
}

/// A sentence after what it continues.
void continue_with(std::string& text, const std::string& more) { text += (text.empty() || more.empty() ? "" : "; ") + more; }

std::string percent_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

/// Whether a norm in the objective or a constraint has a scale that is found on the run's mesh.
bool has_scaled_norm(const spec::Value& spec) {
  for (const char* section : {"objective", "constraints"})
    if (const spec::Value* all = spec.find(section))
      for (const spec::Value& term : *all)
        if (const spec::Value* scaled = term.find("scaled"); scaled && scaled->boolean()) return true;
  return false;
}

/// The objective of the body. Scales of norms are those of this mesh.
Evaluation solve_body(Problem& problem, const DesignVector& theta) {
  const Evaluation e = problem.functional->value(theta);
  if (!e.ok || !has_scaled_norm(problem.spec) || !problem.functional->has_adaptive_parameters()) return e;
  if (const Evaluation updated = problem.functional->update_adaptive_parameters(theta); !updated.ok) return updated;
  problem.functional->forget();
  return problem.functional->value(theta);
}

std::string mesh_text(const FittedProblem& fitted) {
  const Mesh& mesh = fitted.problem.density->filter().mesh();
  long long cells = 0;
  for (const CellBlock& block : mesh.cells) cells += block.n_owned;
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_LONG_LONG, MPI_SUM, mesh.comm);
  return "a mesh of " + std::to_string(cells) + (mesh.dim == 2 ? " triangles" : " tetrahedra") + " along the filtered density " + plain_number(fitted.body.level);
}

std::string left_out_text(const FittedBody& body) {
  std::string text;
  if (body.islands > 0)
    text = std::to_string(body.islands) + (body.islands == 1 ? " part" : " parts") + " without support, " + percent_text(body.island_share) + " of the volume, left out";
  if (body.loose_share > 0) continue_with(text, "parts with " + percent_text(body.loose_share) + " of the volume are held by loads, springs or ties only");
  return text;
}

}  // namespace

bool reports_body(const Problem& problem) { return problem.spec["verify"]["body"].boolean() && why_not_fitted(problem).empty(); }

double rounding_threshold(const Problem& problem) { return rounding_keeps_volume(problem) ? problem.density->cut_of_equal_volume() : 0.5; }

double violation_in(Problem& problem, const DesignVector& theta) {
  std::vector<double> c;
  if (problem.constraints.empty()) return 0;
  const Evaluation e = problem.functional->constraint_values(theta, c);
  return e.ok ? worst_violation(problem.functional->constraints(), c) : std::numeric_limits<double>::quiet_NaN();
}

BodyChecks::BodyChecks(Session& session, const OptimizerResult& optimum, const ClaimedGain& claimed)
    : session_(session), problem_(session.problem()), optimum_(optimum), claimed_(claimed) {}

VerificationCheck BodyChecks::described(const std::string& kind, Problem& problem, const DesignVector& theta, double objective) {
  VerificationCheck check = measured_check(kind, claimed_, {{claimed_.start, objective, violation_in(problem, theta)}}, 0);
  if (!std::isfinite(claimed_.start)) check.reason.clear();  // there is no share because it was not asked for
  if (std::vector<double> c; !problem.constraints.empty() && problem.functional->constraint_values(theta, c).ok)
    for (std::size_t k = 0; k < c.size(); ++k)
      if (!problem.constraints[k].info.competes) check.constraints.emplace_back(problem.constraints[k].info.name, c[k]);
  for (const Quantity& q : problem.quantities) check.quantities.emplace_back(q.name, value_of(problem, q));
  write_fields(problem, session_.path() / "verify" / kind);
  return check;
}

/// On the cells of the run, which say it to a quarter of a cell for any mesh of the body.
void BodyChecks::measure_members(VerificationCheck& check, std::vector<double> rounded) {
  const DensityDesign& density = *problem_.density;
  if (density.stage().law == DensityStage::Law::resistance) return;
  const MemberSizes sizes = member_sizes(density.filter().mesh(), rounded, density.filter().volumes(), held_nodes(problem_.cases.front()));
  check.member_size = sizes.least;
  if (std::isnan(check.volume)) check.volume = sizes.volume;
  char text[200];
  std::snprintf(text, sizeof text, "member sizes: minimum %.4g, median %.4g, i.e. %.3g cells; volume %.6g", sizes.least, sizes.median,
                sizes.least / density.filter().typical_width(), check.volume);
  continue_with(check.reason, text);
}

VerificationCheck BodyChecks::fitted() try {
  const std::string kind = "fitted";
  problem_.functional->forget();
  if (const Evaluation grey = problem_.functional->value(optimum_.theta); !grey.ok) return unmeasured_check(kind, Outcome::failed, grey.reason);
  FittedProblem fitted = build_fitted(problem_, optimum_.theta, session_.path() / "resolved.yaml");
  show_solves(fitted.problem, session_.console(), &session_.interruption());
  const Evaluation e = solve_body(fitted.problem, fitted.theta);
  std::string notes = left_out_text(fitted.body);
  for (const std::string& note : fitted.notes) continue_with(notes, note);
  if (!e.ok) return unmeasured_check(kind, Outcome::failed, e.reason + (notes.empty() ? "" : " (" + notes + ")"));
  VerificationCheck check = described(kind, fitted.problem, fitted.theta, e.value);
  check.volume = fitted.body.volume;
  const double cut = rounding_threshold(problem_);
  std::vector<double> rounded = problem_.density->densities();
  for (double& density : rounded) density = density > cut;
  measure_members(check, std::move(rounded));
  continue_with(check.reason, mesh_text(fitted));
  continue_with(check.reason, notes);
  return check;
} catch (const SpecError& e) {
  return unmeasured_check("fitted", Outcome::undecided, "the problem cannot be built on a mesh of the body: " + in_one_line(e.what()));
} catch (const std::domain_error& e) {
  return unmeasured_check("fitted", Outcome::failed, e.what());
} catch (const std::invalid_argument& e) {
  return unmeasured_check("fitted", Outcome::undecided, e.what());
}

VerificationCheck BodyChecks::black_white() {
  const std::string kind = "black_white";
  DensityDesign& density = *problem_.density;
  CaseFunctional& functional = *problem_.functional;
  functional.forget();
  if (const Evaluation grey = functional.value(optimum_.theta); !grey.ok) return unmeasured_check(kind, Outcome::failed, grey.reason);
  density.set_cut(rounding_threshold(problem_));
  functional.forget();
  const Evaluation e = functional.value(optimum_.theta);
  VerificationCheck check = e.ok ? described(kind, problem_, optimum_.theta, e.value) : unmeasured_check(kind, Outcome::failed, e.reason);
  if (e.ok) measure_members(check, density.densities());
  density.set_cut(std::nullopt);
  functional.forget();
  return check;
}

VerificationCheck BodyChecks::corners() {
  const std::string kind = "corners";
  DensityDesign& density = *problem_.density;
  CaseFunctional& functional = *problem_.functional;
  const auto value = [&] {
    functional.forget();
    return functional.value(optimum_.theta);
  };
  if (const Evaluation grey = value(); !grey.ok) return unmeasured_check(kind, Outcome::failed, grey.reason);
  const double cut = rounding_threshold(problem_), share = density.share_on_corners(cut);
  if (share == 0) return unmeasured_check(kind, Outcome::described, "no cell of the body is connected at a corner only");
  density.set_cut(cut);
  const Evaluation with = value();
  density.drop_corner_contacts(true);
  const Evaluation without = with.ok ? value() : with;
  VerificationCheck check = unmeasured_check(kind, Outcome::failed, without.reason);
  if (without.ok) {
    const ClaimedGain body{claimed_.start, with.value < claimed_.start ? with.value : optimum_.value};
    check = measured_check(kind, body, {{claimed_.start, without.value, violation_in(problem_, optimum_.theta)}}, 0);
    write_fields(problem_, session_.path() / "verify" / kind);
    if (check.reason.empty()) check.reason = percent_text(share) + " of the body are connected at corners of cells only, which carry no load on a fine mesh; solved without them";
  }
  density.drop_corner_contacts(false);
  density.set_cut(std::nullopt);
  functional.forget();
  return check;
}

VerificationCheck BodyChecks::reported(bool or_rounded) {
  VerificationCheck check = fitted();
  if (check.levels.empty() && or_rounded) {
    const std::string why = "no solution on a fitted mesh, as " + check.reason;
    check = black_white();
    check.reason = why + (check.reason.empty() ? "" : "; " + check.reason);
  }
  check.asked = false;
  if (check.levels.empty()) return check;
  check.outcome = Outcome::described;
  char text[160];
  std::snprintf(text, sizeof text, "objective %.8g, %.3g %% %s than the run's; ", check.levels.back().optimum, 100 * std::abs(check.change), check.change > 0 ? "more" : "less");
  check.reason = text + check.reason;
  return check;
}

}  // namespace invar
