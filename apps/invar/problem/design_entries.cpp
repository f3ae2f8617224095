#include "apps/invar/problem/design_entries.hpp"

#include <algorithm>
#include <set>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libfluid/design/design_library.hpp"

namespace invar {
namespace {

using spec::Value;

/// The parameter of a kind, whatever its key; null without.
const EntryParameter* parameter_of(const DesignEntryKind& kind, std::initializer_list<EntryParameter::Kind> wanted) {
  const auto found = std::ranges::find_if(kind.parameters, [&](const EntryParameter& p) { return std::ranges::find(wanted, p.kind) != wanted.end(); });
  return found == kind.parameters.end() ? nullptr : &*found;
}
const EntryParameter* variable_of(const DesignEntryKind& kind) { return parameter_of(kind, {EntryParameter::Kind::variable, EntryParameter::Kind::constant}); }

bool may_be(const std::string& control_name, const EntryParameter& variable) {
  return !control_name.empty() && (variable.kind == EntryParameter::Kind::variable || control_name.starts_with("materials."));
}

/// The entry does not name another case.
bool concerns(const DesignEntryKind& kind, const Value& entry, const CaseModel& model) {
  const EntryParameter* of_case = parameter_of(kind, {EntryParameter::Kind::case_name});
  const Value* name = of_case ? entry.find(of_case->key) : nullptr;
  return !name || name->text() == model.name;
}

/// The data of the case for the entry; nothing if the entry is for another case.
std::optional<DesignCase> seen_by(const DesignEntryKind& kind, const Value& entry, const CaseModel& model, int index) {
  if (!concerns(kind, entry, model)) return std::nullopt;
  DesignCase c;
  c.index = index;
  c.name = model.name;
  c.mesh = model.mesh;
  c.residual = model.residual;
  c.axisymmetric = model.axisymmetric();
  c.fields = model.fields;
  if (model.march) c.times = model.times;
  model.physics->describe(c);
  const EntryParameter* variable = variable_of(kind);
  if (!variable) return c;
  c.path = entry[variable->key].text();
  const std::optional<std::string> path = model.path_here(c.path);
  if (path && may_be(*path, *variable)) c.control = c.control_named(*path);
  if (c.control < 0) return std::nullopt;
  if (const auto found = model.admitted.find(c.control); found != model.admitted.end()) c.admitted = found->second;
  if (std::ranges::any_of(model.polar, [&](const PolarNumbers& p) { return p.radius == c.control || p.angle == c.control; }))
    c.why_no_signal = "speed and angle of a free stream are numbers, not functions of time: design u_x and u_y instead";
  if (variable->kind == EntryParameter::Kind::constant) {
    const std::size_t first = path->find('.') + 1;
    c.region = model.physics->region_of_material(path->substr(first, path->find('.', first) - first));
    c.why_no_field = model.physics->why_no_field(c.control);
  }
  return c;
}

bool regions_exist(const std::vector<EntryParameter>& parameters, const Value& entry, const CaseModel& model, Diagnostics& diagnostics) {
  bool all = true;
  for (const EntryParameter& p : parameters) {
    const Value* given = entry.find(p.key);
    if (given && p.kind == EntryParameter::Kind::groups)
      for (const Value& one : *given) all &= regions_exist(p.inner, one, model, diagnostics);
    if (given && p.kind == EntryParameter::Kind::cell_region && given->text() != "all")
      all &= check_region(*model.mesh, given->text(), model.mesh->dim, *given, diagnostics);
  }
  return all;
}

/// Reports an entry whose variable exists in no case.
void say_unknown(const DesignEntryKind& kind, const Value& entry, const Problem& problem, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const CaseModel& model : problem.cases)
    if (!model.process) return;  // it may be missing because of other mistakes
  if (const EntryParameter* variable = variable_of(kind)) {
    for (const CaseModel& model : problem.cases)
      for (const ControlInfo& c : model.residual->controls())
        if (const std::string name = model.path_of(c.name);
            may_be(c.name, *variable) && c.shared() && std::ranges::find(names, name) == names.end())
          names.push_back(name);
    std::string known;
    for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
    const Value& path = entry[variable->key];
    const char* what = variable->kind == EntryParameter::Kind::constant ? "there is no constant of a material under '" : "there is no number at '";
    diagnostics.error(path.position, path.yaml_path, what + path.text() + "'" + did_you_mean(path.text(), names),
                      "what can be a " + std::string(kind.name) + ": " + known);
    return;
  }
  for (const CaseModel& model : problem.cases) names.push_back(model.name);
  const Value& name = entry[parameter_of(kind, {EntryParameter::Kind::case_name})->key];
  diagnostics.error(name.position, name.yaml_path, "there is no case '" + name.text() + "'" + did_you_mean(name.text(), names));
}

}  // namespace

const DesignEntryKind* design_kind(const Value& entry) {
  const auto library = design_library();
  const auto found = std::ranges::find(library, entry["kind"].text(), &DesignEntryKind::name);
  return found == library.end() ? nullptr : &*found;
}

std::vector<spec::Table> design_kind_tables() {
  std::vector<spec::Table> tables;
  for (const DesignEntryKind& kind : design_library()) {
    tables.emplace_back(std::string(kind.name), std::string(kind.doc));
    add_parameters(tables.back(), kind.parameters);
    if (kind.has_prior)
      tables.back().defaulted("weight", weight_type(spec::number().above(0)), "1",
                              "weight of the prior in the objective: with the weight w its standard deviation is `deviation`/√w");
  }
  return tables;
}

void prepare_design(CaseModel& model, const Value& spec, Diagnostics& diagnostics) {
  const Value* design = spec.find("design");
  if (!design || !model.residual) return;
  std::set<std::string> designed;
  for (const Value& entry : *design) {
    const DesignEntryKind* kind = design_kind(entry);
    if (!kind) continue;
    std::optional<DesignCase> c = seen_by(*kind, entry, model, -1);
    if (!c || !regions_exist(kind->parameters, entry, model, diagnostics)) continue;
    if (const EntryParameter* variable = variable_of(*kind); variable && !designed.insert(model.residual->controls()[c->control].name).second) {
      const Value& path = entry[variable->key];
      diagnostics.error(path.position, path.yaml_path, "'" + path.text() + "' is listed twice");
      continue;
    }
    EntryMistakes mistakes;
    kind->prepare(*c, entry_values(kind->parameters, entry), mistakes);
    report(mistakes, entry, diagnostics);
    model.fields = std::move(c->fields);
  }
}

BuiltEntry build_entry(const DesignEntryKind& kind, const Value& entry, const Problem& problem, Diagnostics& diagnostics) {
  std::vector<DesignCase> cases;
  for (std::size_t k = 0; k < problem.cases.size(); ++k) {
    const CaseModel& model = problem.cases[k];
    // reported when the case was built
    if (!model.residual || (!model.process && concerns(kind, entry, model))) return {};
    if (std::optional<DesignCase> c = seen_by(kind, entry, model, static_cast<int>(k))) cases.push_back(std::move(*c));
  }
  if (cases.empty()) {
    say_unknown(kind, entry, problem, diagnostics);
    return {};
  }
  if (kind.one_mesh && std::ranges::any_of(cases, [&](const DesignCase& c) { return c.mesh != cases.front().mesh; })) {
    diagnostics.error(entry.position, entry.yaml_path,
                      "an entry of kind '" + std::string(kind.name) + "' is common to all cases, and their meshes differ",
                      std::string(parameter_of(kind, {EntryParameter::Kind::case_name}) ? "name the 'case', or " : "") + "give the mesh once, at the top of the spec");
    return {};
  }
  EntryMistakes mistakes;
  BuiltEntry built;
  built.map = kind.make(cases, entry_values(kind.parameters, entry), mistakes);
  report(mistakes, entry, diagnostics);
  const EntryParameter* variable = variable_of(kind);
  built.block.name = !kind.block_name.empty() ? std::string(kind.block_name) : variable ? entry[variable->key].text() : std::string(kind.name);
  built.block.case_index = cases.front().index;
  built.block.entry = &entry;
  return built;
}

}  // namespace invar
