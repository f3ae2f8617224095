#include "apps/invar/problem/build_process.hpp"

#include <algorithm>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/build_shape.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "libadjoint/path/path_case.hpp"
#include "libadjoint/solve/newton_defaults.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/time/equilibrium_start.hpp"
#include "libfem/device/device_solver.hpp"
#include "libfem/space/dof_name.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfluid/solve/linear_start.hpp"

namespace invar {
namespace {

using spec::Value;

/// The case's equation for linear solvers. Constraints between unknowns and unknown numbers take the matrix apart on the processor.
PreparedEquation prepared_equation(const CaseModel& model, const CaseSections& sections) {
  PreparedEquation equation{.residual = *model.residual,
                            .device = model.device,
                            .symmetric = model.equation()->symmetric(),
                            .at_rest = !model.march && !model.path,
                            .coarse_space = model.physics->suits_multigrid(model),
                            .tied = model.ties != nullptr,
                            .divided = model.ties || model.path || sections.find("trim")};
  equation.blocks = [&model](bool only_if_they_pay) { return model.physics->blocks(model, only_if_they_pay); };
  if (model.ties) equation.take_over = [ties = model.ties] { ties->equation()->describe_matrix(); };
  return equation;
}

/// The initial equilibrium of a process in time; nullptr, with error messages, if it is impossible.
std::shared_ptr<EquilibriumStart> equilibrium_start(const CaseModel& model, const CaseSections& sections, std::shared_ptr<LinearSolver> solver,
                                                    const NewtonOptions& newton, Diagnostics& diagnostics) {
  const Value& word = (*sections.find("time"))["begin_with"];
  if (const Value* initial = sections.find("initial"))
    for (const Value& region : *initial) {
      if (region.key == initial_from) {
        diagnostics.error(region.key_position, region.yaml_path, "the initial state is an equilibrium, and cannot be that of a run",
                          "omit 'from' or 'begin_with: equilibrium'");
        return nullptr;
      }
      for (const Value& v : region)
        if (model.component(v.key) >= 0) {
          diagnostics.error(v.key_position, v.yaml_path, "the initial state is an equilibrium: '" + v.key + "' is part of its solution",
                            "leave it out, or leave out 'begin_with: equilibrium'");
          return nullptr;
        }
    }
  if (model.control_named(initial_velocity) >= 0) {
    diagnostics.error(word.position, word.yaml_path, "the initial state is designed ('initial_field')", "leave out one of the two");
    return nullptr;
  }
  try {
    return std::make_shared<EquilibriumStart>(model.equation(), std::move(solver), model.start, newton);
  } catch (const std::invalid_argument& e) {
    diagnostics.error(word.position, word.yaml_path, e.what(), "begin at rest, and increase the loads slowly");
    return nullptr;
  }
}

LoadSteppingOptions::Continuation continuation_of(const CaseModel& model, const Value& given, Diagnostics& diagnostics) {
  using enum LoadSteppingOptions::Continuation;
  const std::string word = given.text();
  const Capabilities able = model.equation()->capabilities();
  const bool turbulent = able.pseudo_time && able.pseudo_time->first_factor() > 1;
  const bool by_equations = word == "viscosity" || word == "stiffness";
  const char* mistake = nullptr;
  if (word == "auto") return automatic;
  if (model.march) mistake = "is for steady problems";
  else if (word == "pseudo_time" && !able.pseudo_time) mistake = "is for steady Navier-Stokes flow";
  else if (word != "pseudo_time" && turbulent) mistake = "is for laminar flow (turbulent flow is always solved in pseudo-time)";
  else if (by_equations && !(able.continuation && model.physics->continued().word == word))
    mistake = word == "viscosity" ? "is for flow" : "is for fluid-structure interaction";
  if (mistake) diagnostics.error(given.position, given.yaml_path, "'" + word + "' " + mistake + "; case '" + model.name + "' is not that", "use auto");
  if (word == "pseudo_time") return pseudo_time;
  if (by_equations) return easier;
  return word == "none" ? none : automatic;
}

}  // namespace

void prepare_solver(const CaseModel& model, const CaseSections& sections, const Value& method, Diagnostics& diagnostics) {
  const PreparedEquation equation = prepared_equation(model, sections);
  if (method.text() == "auto") return prepare_for_auto(equation);
  const LinearMethod& asked = find_linear_method(method.text());
  const std::string of_case = "case '" + model.name + "'";
  int processes;
  MPI_Comm_size(model.dofs->comm(), &processes);
  try {
    require_suitable(asked, equation.symmetric && !model.path, processes);
    if (model.path && !asked.direct)
      throw std::invalid_argument("linear solver '" + method.text() + "' cannot solve for an unknown load; use auto, mumps or umfpack");
  } catch (const std::invalid_argument& e) {
    diagnostics.error(method.position, method.yaml_path, of_case + ": " + e.what());
  }
  if (model.ties && !supports_tied_unknowns(asked)) {
    diagnostics.error(method.position, method.yaml_path, "'" + method.text() + "' does not support tied unknowns ('ties')", "use auto");
    return;
  }
  if (prepare_for(asked, equation)) return;
  const LinearMethodUse* use = use_of(asked.name);
  const bool near = physics_of(model.physics_word).linear_methods.contains(asked.name);
  diagnostics.error(method.position, method.yaml_path,
                    "'" + method.text() + "' is for " + (use ? use->problems : "other equations") + "; " + of_case + " is not that",
                    use && near ? use->instead : "use auto");
}

LinearSolverOptions linear_options(const Value& solver) {
  LinearSolverOptions linear;
  linear.method = solver["linear"].text();
  if (const Value& rtol = solver["linear_rtol"]; rtol.is_number()) linear.rtol = rtol.number();
  linear.reproducible = solver["reproducible"].boolean();
  return linear;
}

std::shared_ptr<Case> make_process(CaseModel& model, const CaseSections& sections, const Value& spec, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& s = spec["solver"];
  const LinearSolverOptions linear = linear_options(s);
  const Value& reproducible = s["reproducible"];
  const LinearMethod* const asked = linear.method == "auto" ? nullptr : &find_linear_method(linear.method);
  if (!linear.reproducible && !uses_cudss(asked, prepared_equation(model, sections)))
    diagnostics.error(reproducible.position, reproducible.yaml_path, "all sums are in a fixed order without cuDSS",
                      "leave it out, or take linear: cudss, cudss_ldlt, cudss_cholesky, or a device and cuDSS");
  LoadSteppingOptions stepping;
  stepping.warm_start = model.physics->warm_starts();
  const SolveUse use{.warm_start = stepping.warm_start,
                     .moving_mesh = designs_shape(spec),
                     .in_time = model.march.has_value(),
                     .linear_steps = model.march && model.march->linearised};
  stepping.newton = newton_defaults(use, s["rtol"].is_number() ? std::optional(s["rtol"].number()) : std::nullopt);
  stepping.newton.atol = s["atol"].number();
  stepping.newton.max_iterations = static_cast<int>(s["max_iterations"].integer());
  stepping.max_cuts = static_cast<int>(s["max_cuts"].integer());
  stepping.continued = model.physics->continued().what;
  stepping.continuation = continuation_of(model, s["continuation"], diagnostics);
  if (const Value* section = sections.find("trim"); section && (model.march || model.path)) {
    diagnostics.error(section->key_position, section->yaml_path, "'trim' is for steady cases", "leave 'time' out");
    return nullptr;
  }
  const auto name_unknown = [dofs = model.dofs, ties = model.ties](PetscInt row) { return ties ? ties->name_of(row) : dof_name(*dofs, row); };
  if (model.march) {
    int without_mass = !model.equation()->algebraic_unknowns().empty();
    MPI_Allreduce(MPI_IN_PLACE, &without_mass, 1, MPI_INT, MPI_MAX, model.equation()->comm());
    if (model.march->scheme.is_explicit() && without_mass) {
      const Value& scheme = (*sections.find("time"))["scheme"];
      diagnostics.error(scheme.position, scheme.yaml_path, "'" + scheme.text() + "' cannot solve for unknowns without mass, such as pressures and forces of joints",
                        "use bdf2");
      return nullptr;
    }
    MarchOptions march = model.march->options;
    march.newton = stepping.newton;
    march.max_cuts = stepping.max_cuts;
    march.storage.device_budget = model.device_states;
    auto solver = std::make_shared<LinearSolver>(comm, linear);
    std::shared_ptr<EquilibriumStart> start;
    if (model.march->from_equilibrium) {
      march.start = start = equilibrium_start(model, sections, solver, march.newton, diagnostics);
      if (!start) return nullptr;
    }
    auto process = std::make_shared<TransientCase>(model.name, model.equation(), std::move(solver), model.march->scheme, model.times, std::move(march));
    process->name_unknown = name_unknown;
    if (start) {
      start->process().name_unknown = name_unknown;
      start->process().explain = [of = process.get()](const EvaluationPoint& u) { return of->explain ? of->explain(u) : std::string(); };
    }
    return process;
  }
  if (model.path) {
    std::shared_ptr<Observable> quantity = path_quantity(model, diagnostics);
    if (!quantity) return nullptr;
    auto path = std::make_shared<PathCase>(model.name, model.equation(), std::make_shared<LinearSolver>(comm, linear),
                                      PathControl{std::move(quantity), model.path->chords, model.path->scaled}, model.times,
                                      model.start, PathOptions{stepping.newton, stepping.max_cuts});
    path->name_unknown = name_unknown;
    return path;
  }
  std::shared_ptr<StaticCase> process;
  if (const Value* section = sections.find("trim")) {
    std::optional<Trim> trim = build_trim(model, *section, diagnostics);
    if (!trim) return nullptr;
    model.trim = section;
    model.trimmed = {trim->number};
    if (trim->polar) model.trimmed.insert(model.trimmed.end(), {trim->polar->radius, trim->polar->x, trim->polar->y});
    process = std::make_shared<TrimmedCase>(model.name, model.equation(), std::make_shared<LinearSolver>(comm, linear), model.times, model.start,
                                            stepping, std::move(*trim));
  } else {
    process = std::make_shared<StaticCase>(model.name, model.equation(), std::make_shared<LinearSolver>(comm, linear), model.times, model.start,
                                           stepping);
  }
  process->name_unknown = name_unknown;
  if (model.linear_start) process->guess = LinearStart(model.linear_start, model.dofs, model.start);
  return process;
}

std::vector<TruncatedSweeps> truncated_sweeps(const std::vector<CaseModel>& cases) {
  std::vector<TruncatedSweeps> sweeps;
  for (const CaseModel& model : cases)
    if (auto* process = dynamic_cast<TransientCase*>(model.process.get()); process && model.march)
      sweeps.push_back({process, model.march->options.horizon, model.march->options.storage.single_precision});
  return sweeps;
}

}  // namespace invar
