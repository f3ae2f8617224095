#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "apps/invar/problem/build_numbers.hpp"
#include "apps/invar/problem/build_process.hpp"
#include "apps/invar/problem/build_shape.hpp"
#include "apps/invar/problem/build_start.hpp"
#include "apps/invar/problem/check_verification.hpp"
#include "apps/invar/problem/density_checks.hpp"
#include "apps/invar/problem/design_entries.hpp"
#include "apps/invar/problem/device_choice.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "apps/invar/problem/expectations.hpp"
#include "apps/invar/problem/partial_checks.hpp"
#include "apps/invar/problem/posterior_spec.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/refined_setting.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/problem/tie_spec.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/spec/shortened.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/validate.hpp"
#include "libadjoint/maps/prior_field.hpp"
#include "libadjoint/maps/search_rounds.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/optimize/optimizer_method.hpp"
#include "libfem/form/not_finite.hpp"
#include "libfem/mechanism/tied_equation.hpp"

namespace invar {
namespace {

using spec::Value;

std::vector<CaseSections> all_sections(const Value& spec) {
  std::vector<CaseSections> out;
  if (const Value* cases = spec.find("cases"))
    for (const Value& c : *cases) out.push_back({c.key, &spec, &c});
  else out.push_back({"", &spec, nullptr});
  return out;
}

/// The case that a term or probe names; −1 after recording what is wrong.
int case_of(const Value& record, const std::vector<CaseSections>& cases, Diagnostics& diagnostics) {
  const Value* name = record.find("case");
  if (!name) {
    if (cases.size() == 1) return 0;
    diagnostics.error(record.position, record.yaml_path, "'case' is missing: there are several cases");
    return -1;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].name == name->text()) return static_cast<int>(i);
    names.push_back(cases[i].name);
  }
  diagnostics.error(name->position, name->yaml_path, "there is no case '" + name->text() + "'" + did_you_mean(name->text(), names));
  return -1;
}

void build_probes(Problem& problem, const std::vector<CaseSections>& cases, Diagnostics& diagnostics) {
  const Value* output = problem.spec.find("output");
  const Value* probes = output ? output->find("probes") : nullptr;
  if (!probes) return;
  for (const Value& p : *probes) {
    if (mistakes_below(p.yaml_path, diagnostics)) continue;
    const int index = case_of(p, cases, diagnostics);
    if (index < 0 || !problem.cases[index].process) continue;
    const CaseModel& model = problem.cases[index];
    std::shared_ptr<Observable> value = build_point_value(model, p["point"], p["component"], diagnostics);
    if (model.march && value) model.process->watch({p.key, value, {}});
    problem.probes.push_back({p.key, index, model.last_step(), std::move(value)});
  }
}

/// Checks names of cases and terms, which are used as file names.
void check_name(const Value& value, const std::string& name, const SourcePosition& position, Diagnostics& diagnostics) {
  constexpr std::size_t longest = 100;  // of a file system's 255 bytes; endings are added
  if (name.size() > longest)
    diagnostics.error(position, value.yaml_path, "the name '" + shortened(name) + "' is too long to name a file",
                      "at most " + std::to_string(longest) + " bytes");
  if (name.find_first_of("/\n\r") == std::string::npos && !name.starts_with('.')) return;
  diagnostics.error(position, value.yaml_path, "the name '" + shortened(name) + "' cannot name a file: leave out '/' and the leading point");
}

/// Pictures are made from the files of fields.
void check_pictures(const Value& output, const std::vector<CaseSections>& cases, Diagnostics& diagnostics) {
  const Value* pictures = output.find("pictures");
  if (!pictures) return;
  if (output["fields"].text() == "none")
    diagnostics.error(pictures->key_position, pictures->yaml_path, "pictures need fields, and 'fields' is none",
                      "set 'fields: last'");
  for (const Value& p : *pictures) {
    check_name(p, p.key, p.key_position, diagnostics);
    case_of(p, cases, diagnostics);
  }
}

/// Checks that the method uses the options given.
void check_optimizer_options(const Problem& problem, Diagnostics& diagnostics) {
  const Value& o = problem.spec["optimizer"];
  const std::string name = o["method"].text();
  const bool constrained = !problem.constraints.empty() && name == "auto", mma = name == "mma" || constrained;
  const auto unused = [&](const char* key, const std::string& methods) {
    diagnostics.error(o[key].key_position, o[key].yaml_path, std::string("'") + key + "' is for " + methods, "remove it, or choose one of them as 'method'");
  };
  if (!mma && o["conservative"].boolean() != OptimizerOptions{}.conservative) unused("conservative", "mma");
  if (!mma && name != "sqp" && name != "interior_point" && o["max_move"].number() != OptimizerOptions{}.max_move) unused("max_move", "mma, sqp and interior_point");
}

/// Checks that the optimiser supports the problem.
void check_optimizer(const Problem& problem, const std::vector<DesignEntry>& entries, Diagnostics& diagnostics) {
  const Value& o = problem.spec["optimizer"];
  if (const std::string name = o["method"].text(); name != "auto") {
    const OptimizerMethod& method = optimizer_method(name);
    if (method.objective == OptimizerMethod::Objective::sum_of_squares && !problem.sum_of_squares)
      diagnostics.error(o["method"].position, o["method"].yaml_path,
                        name + " minimises sums of squares, and the objective has other terms; use quasi_newton");
    if (!problem.constraints.empty() && !method.constrained)
      diagnostics.error(o["method"].position, o["method"].yaml_path, name + (problem.spec["combine"].text() == "worst" ? " does not minimise the largest of several terms" : " takes no constraints") +
                            "; use sqp or mma");
    for (const CaseModel& c : problem.cases)
      if (const std::string why_not = c.process ? c.process->why_no_second_derivatives() : ""; method.second_derivatives && !why_not.empty()) {
        diagnostics.error(o["method"].position, o["method"].yaml_path, name + " needs second derivatives, and " + why_not + "; use quasi_newton");
        break;
      }
  }
  if (o["starts"].integer() == 1) return;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (const auto drawn = entries[k].transform.bounds(problem.ranges[k][0], problem.ranges[k][1]);
        !std::isfinite(drawn[0]) || !std::isfinite(drawn[1]))
      diagnostics.error(o["starts"].position, o["starts"].yaml_path,
                        "'" + entries[k].name + "' needs a range, or two bounds, from which the starts are drawn");
}

/// `combine: worst`: the maximum of the terms of all cases, under separate names.
void let_terms_compete(Problem& problem, Diagnostics& diagnostics) {
  const Value& combine = problem.spec["combine"];
  if (combine.text() != "worst") return;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    if (!model.process) continue;
    for (const DataSet& data : model.process->data())
      diagnostics.error(combine.position, combine.yaml_path, "'" + data.name + "' is compared with data, and such terms are summed; the maximum of terms needs terms without data",
                        "omit its 'target' or 'file', or 'combine'");
    for (ProcessTerm& term : model.process->terms()) {
      CaseConstraint competitor{.info = {.name = term.name, .competes = true}, .case_index = static_cast<int>(c), .quantity = std::move(term)};
      const auto taken = [&] {
        return std::ranges::any_of(problem.constraints, [&](const CaseConstraint& k) { return k.info.name == competitor.info.name; });
      };
      if (taken()) competitor.info.name += "_" + model.name;
      for (const std::string base = competitor.info.name; taken();) competitor.info.name = base + "_" + std::to_string(problem.constraints.size() + 1);
      problem.constraints.push_back(std::move(competitor));
    }
    model.process->terms().clear();
  }
}

/// The value of that path; null: there is none.
Value* value_at(Value& of, const std::string& path) {
  if (of.yaml_path == path) return &of;
  for (Value& child : of.children)
    if (path.starts_with(child.yaml_path))
      if (Value* found = value_at(child, path)) return found;
  return nullptr;
}

/// Explanation of inadmissible states of the process: by its physics, else the term that is not a finite number.
std::function<std::string(const EvaluationPoint&)> explanation_of(const CaseModel& model) {
  std::function<std::string(const EvaluationPoint&)> explain = [of_physics = model.physics->explanation(model), &model](const EvaluationPoint& u) {
    std::string said = of_physics ? of_physics(u) : "";
    if (said.empty()) said = what_is_not_finite(*model.residual, u);
    return said.empty() || said.starts_with(':') ? said : ": " + said;
  };
  if (!model.ties) return explain;
  return [explain = std::move(explain), ties = model.ties](const EvaluationPoint& q) {
    std::string said = ties->why_not(q.controls());
    if (!said.empty()) return ": " + said;
    ties->unfold(q, [&](const EvaluationPoint& u) { said = explain(u); });
    return said;
  };
}

/// Writes computed defaults (from meshes and materials) into the spec if they are equal in all cases.
void write_computed(Problem& problem) {
  std::map<std::string, double> all;
  std::set<std::string> disputed;
  for (const CaseModel& model : problem.cases)
    for (const auto& [path, number] : model.computed)
      if (const auto [known, added] = all.emplace(path, number); !added && known->second != number) disputed.insert(path);
  for (const auto& [path, number] : all) {
    Value* value = disputed.contains(path) ? nullptr : value_at(problem.spec, path);
    if (!value) continue;
    value->kind = Value::Kind::number;
    value->scalar = number;
  }
}

}  // namespace

/// The blocks of `design` except numbers; blocks that depend on others come last.
std::vector<std::shared_ptr<Parameterization>> build_maps(Problem& problem, Diagnostics& diagnostics) {
  std::vector<BuiltEntry> built, later;
  const Value* design = problem.spec.find("design");
  if (!design) return {};
  bool alone = false;
  for (const Value& entry : *design) {
    if (entry["kind"].text() == "number") continue;
    const DesignEntryKind* kind = design_kind(entry);
    if ((!kind || kind->alone) && std::exchange(alone, true)) {
      diagnostics.error(entry.position, entry.yaml_path, "only one entry of 'design' may be a shape or a density",
                        "a shape can also rotate and translate: 'rigid'");
      continue;
    }
    if (kind) (kind->last ? later : built).push_back(build_entry(*kind, entry, problem, diagnostics));
    else built.push_back({build_shape(entry, problem, diagnostics), {entry["kind"].text(), 0, &entry}});
  }
  std::ranges::move(later, std::back_inserter(built));
  std::vector<std::shared_ptr<Parameterization>> maps;
  for (BuiltEntry& b : built) {
    if (!b.map) continue;
    if (const auto density = std::dynamic_pointer_cast<DensityDesign>(b.map)) problem.density = density;
    if (const auto staged = std::dynamic_pointer_cast<StagedDesign>(b.map)) {
      if (std::exchange(problem.staged, staged))
        diagnostics.error(b.block.entry->position, b.block.entry->yaml_path, "the search runs in the stages of another entry of 'design' already", "only one entry may have 'stages'");
    }
    maps.push_back(std::move(b.map));
    problem.blocks.push_back(std::move(b.block));
  }
  return maps;
}

/// A search in rounds (`optimizer.rounds`), if it is one.
void build_rounds(Problem& problem, Diagnostics& diagnostics) {
  const Value& optimizer = problem.spec["optimizer"];
  const Value* rounds = optimizer.find("rounds");
  if (const Value& starts = optimizer["starts"]; problem.staged && starts.integer() > 1)
    diagnostics.error(starts.position, starts.yaml_path, "a search from several starting points has no stages", "set 'starts' to 1");
  if (!rounds) return;
  if (problem.staged) return diagnostics.error(rounds->position, rounds->yaml_path, "the search runs in the stages of the design already", "give those 'rounds'");
  if (optimizer["starts"].integer() > 1)
    return diagnostics.error(rounds->position, rounds->yaml_path, "a search from several starting points has no rounds", "set 'starts' to 1");
  problem.staged = std::make_shared<SearchRounds>(static_cast<int>(rounds->integer()), static_cast<int>(optimizer["max_iterations"].integer()));
}

/// Checks that all data have a known noise, as priors need.
void check_priors(const Problem& problem, const std::vector<std::shared_ptr<Parameterization>>& maps, Diagnostics& diagnostics) {
  if (problem.noise_known || std::ranges::none_of(maps, [](const auto& m) { return dynamic_cast<const PriorField*>(m.get()) != nullptr; })) return;
  const Value& objective = problem.spec["objective"];
  diagnostics.error(objective.key_position, "objective", "a 'gaussian_field' needs the noise of all data, and a term has none",
                    "give the standard deviation of each as 'noise'");
}

/// Checks that data share what is known of their noise: without it differences count as numbers in their units.
void check_noise(const MeasuredTerms& measured, Problem& problem, Diagnostics& diagnostics) {
  if (measured.without_noise.empty() || !problem.sum_of_squares) return;
  const Value& first = *measured.without_noise[0];
  if (!measured.with_noise.empty()) {
    diagnostics.error(first.position, first.yaml_path, "these data have no standard deviation, and those of '" + measured.with_noise[0]->yaml_path + "' have one",
                      "give 'noise' here, too, or none anywhere: then the noise is estimated from the misfit of all data");
    return;
  }
  for (const Value* other : measured.without_noise)
    if ((*other)["type"].text() != first["type"].text() && weight_at_start(first) == 1 && weight_at_start(*other) == 1) {
      problem.notes.push_back("'" + first["type"].text() + "' and '" + (*other)["type"].text() +
                              "' have no noise: their differences are compared as numbers in their units; give 'noise' or 'weight'");
      return;
    }
}

/// Names of the shared design variables.
std::vector<std::string> names_of(const std::vector<DesignEntry>& numbers, const std::vector<std::shared_ptr<Parameterization>>& maps) {
  std::vector<std::string> names;
  for (const DesignEntry& number : numbers) names.push_back(number.name);
  for (const auto& map : maps)
    for (const DesignVariable& v : map->variables()) names.push_back(v.name);
  return names;
}

Problem build_problem(const std::filesystem::path& file, const std::vector<std::string>& sets, MPI_Comm comm, std::map<std::string, Mesh> given) {
  Diagnostics diagnostics;
  Problem problem;
  problem.spec = spec::read_spec(file, sets, spec_table(), diagnostics);
  const Value& spec = problem.spec;
  check_formulas(spec, diagnostics);
  const bool readable = diagnostics.empty();  // else what can be read is checked, too
  if (readable) problem.title = spec["title"].text();
  const std::vector<CaseSections> cases = all_sections(spec);

  std::vector<CaseRecords> records(cases.size());
  const auto gather = [&](const Value* list, std::vector<const Value*> CaseRecords::* where) {
    if (!list) return;
    for (const Value& record : *list) {
      if (mistakes_below(record.yaml_path, diagnostics)) continue;
      if (const Value* name = record.find("name")) check_name(record, name->text(), name->position, diagnostics);
      if (!record.key.empty()) check_name(record, record.key, record.key_position, diagnostics);
      if (const int c = case_of(record, cases, diagnostics); c >= 0) (records[c].*where).push_back(&record);
    }
  };
  problem.has_objective = spec.has("objective");
  gather(spec.find("objective"), &CaseRecords::terms);
  gather(spec.find("constraints"), &CaseRecords::constraints);
  const Value* output = spec.find("output");
  if (output) gather(output->find("quantities"), &CaseRecords::quantities);
  for (const CaseSections& c : cases)
    if (c.own) check_name(*c.own, c.name, c.own->key_position, diagnostics);
  std::vector<char> whole;  // by case: whether its sections can be read
  for (const CaseSections& c : cases) whole.push_back(is_readable(c, diagnostics));
  MeshCache meshes{std::move(given)};
  std::optional<DeviceChoice> devices;
  MeasuredTerms measured;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const int index = static_cast<int>(c);
    const std::vector<TermData> data = read_term_data(records[c].terms, diagnostics);
    const std::size_t before = diagnostics.size();
    problem.cases.push_back(whole[c] ? build_case(cases[c], times_wanted(data, records[c]), comm, meshes, diagnostics)
                                     : mesh_only(cases[c], comm, meshes, diagnostics));
    if (!whole[c] || diagnostics.size() != before || !problem.cases.back().residual) {
      check_regions(problem.cases.back(), cases[c], records[c], diagnostics);
      continue;
    }
    if (!devices) devices.emplace(spec["solver"]["device"]);
    devices->place(problem.cases.back(), cases[c], diagnostics);
    prepare_solver(problem.cases.back(), cases[c], spec["solver"]["linear"], diagnostics);
    problem.cases.back().process = make_process(problem.cases.back(), cases[c], spec, comm, diagnostics);
    if (!problem.cases.back().process) continue;
    if (const auto& ties = problem.cases.back().ties)
      problem.cases.back().process->unfold = [ties](const EvaluationPoint& q, const auto& use) { ties->unfold(q, use); };
    problem.cases.back().process->advice_if_singular = problem.cases.back().physics->advice_if_singular();
    build_terms(problem, index, data, measured, diagnostics);
    build_constraints(problem, index, records[c].constraints, diagnostics);
    build_quantities(problem, index, records[c].quantities, diagnostics);
    if (const Value* errors = output ? output->find("errors") : nullptr; errors && mistakes_below(errors->yaml_path, diagnostics) == 0)
      for (CaseError& e : build_errors(*errors, problem.cases[c], index, diagnostics)) problem.errors.push_back(std::move(e));
  }
  if (!readable) {
    build_probes(problem, cases, diagnostics);
    build_number_entries(problem, diagnostics);
    check_expectations(problem, nullptr, diagnostics);
    diagnostics.throw_if_any();
  }
  problem.noise_known = measured.without_noise.empty();
  problem.is_measured = !measured.with_noise.empty() || !measured.without_noise.empty();
  write_computed(problem);
  for (const CaseModel& model : problem.cases)  // which stay where they are
    if (model.process) model.process->explain = explanation_of(model);
  let_terms_compete(problem, diagnostics);
  build_probes(problem, cases, diagnostics);
  for (std::size_t c = 0; c < cases.size(); ++c) begin_history_from_state(problem.cases[c], cases[c], diagnostics);
  check_pictures(spec["output"], cases, diagnostics);
  std::vector<DesignEntry> entries = build_number_entries(problem, diagnostics);
  if (spec.has("design") && !problem.has_objective)
    diagnostics.error(spec["design"].key_position, "design", "there is a 'design' without an 'objective'");
  if (spec.has("constraints") && !spec.has("design"))
    diagnostics.error(spec["constraints"].key_position, "constraints", "there are 'constraints' without a 'design'");
  if (!spec.has("design")) check_refinement(problem, diagnostics);
  if (const Value* motion = spec.find("mesh_motion"); motion && !designs_shape(spec))
    diagnostics.error(motion->key_position, motion->yaml_path, "'mesh_motion' is for designed shapes, and no entry of 'design' moves a boundary",
                      "leave it out; in fluid-structure interaction the mesh follows the bodies as 'physics.stiffening' says");
  check_optimizer(problem, entries, diagnostics);
  check_optimizer_options(problem, diagnostics);
  const std::vector<std::shared_ptr<Parameterization>> maps = build_maps(problem, diagnostics);
  check_volumes(problem, diagnostics);
  if (diagnostics.size() == 0) check_shape_against_ties(problem, diagnostics);
  check_priors(problem, maps, diagnostics);
  check_noise(measured, problem, diagnostics);
  const std::vector<std::string> variables = names_of(entries, maps);
  check_expectations(problem, diagnostics.empty() ? &variables : nullptr, diagnostics);
  diagnostics.throw_if_any();
  std::vector<std::shared_ptr<Case>> processes;
  for (const CaseModel& model : problem.cases) processes.push_back(model.process);
  std::vector<std::shared_ptr<Parameterization>> blocks;
  if (!entries.empty()) {
    problem.numbers = std::make_shared<NumberDesign>(std::move(entries), numbers_that_follow(problem));
    blocks.push_back(problem.numbers);
    problem.blocks.insert(problem.blocks.begin(), {"numbers", 0, nullptr});
  }
  blocks.insert(blocks.end(), maps.begin(), maps.end());
  problem.functional = std::make_shared<CaseFunctional>(std::move(processes), std::move(blocks), comm, problem.constraints);
  build_rounds(problem, diagnostics);
  check_rounds(problem, diagnostics);
  build_weights(problem, diagnostics);
  check_posterior(problem, diagnostics);
  build_start(problem, diagnostics);
  check_verification(problem, diagnostics);
  diagnostics.throw_if_any();
  std::ranges::copy(diagnostics.warnings(), std::back_inserter(problem.notes));
  return problem;
}

}  // namespace invar
