#include "apps/invar/problem/case_builder.hpp"

#include <algorithm>
#include <limits>

#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {

using spec::Value;

namespace {

/// The constant that `boundary` prescribes for a component of the same region, if it contradicts an initial number; else null.
const Value* contradicted(const CaseSections& sections, const Value& region, const Value& initial, const char* component, bool is_rate) {
  const Value* boundary = sections.find("boundary");
  const Value* support = boundary ? boundary->find(region.key) : nullptr;
  const Value* held = support && !(*support)["adds"].boolean() ? support->find(component) : nullptr;
  if (!held || !held->is_number() || !initial.is_number()) return nullptr;
  return initial.number() == (is_rate ? 0 : held->number()) ? nullptr : held;
}

}  // namespace

bool check_region(const Mesh& mesh, const std::string& region, int dim, const Value& value, Diagnostics& diagnostics,
                  bool key_is_name) {
  std::vector<std::string> names;
  for (const Region& r : mesh.regions) {
    if (dim >= 0 && r.dim != dim) continue;
    if (r.name == region) return true;
    names.push_back(r.name);
  }
  std::string kind = dim < 0 ? "" : dim == mesh.dim ? "cell " : dim == 0 ? "point " : "facet ", known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  diagnostics.error(key_is_name ? value.key_position : value.position, value.yaml_path,
                    "the mesh has no " + kind + "region '" + region + "'" + did_you_mean(region, names),
                    "its " + kind + "regions: " + known);
  return false;
}

CaseBuilder::CaseBuilder(CaseModel& model, const CaseSections& sections, bool ramps, Diagnostics& diagnostics)
    : model_(model), sections_(sections), diagnostics_(diagnostics), residual_(*model.residual),
      bound_(std::make_shared<ValueBinder>(residual_, model.admitted, model.start, model.times.empty() ? 1.0 : model.times.back(), diagnostics)),
      ramps_(ramps && !model.march && !model.path), scales_(ramps && model.path) {
  model_.numbers_grow |= ramps;
}

std::optional<std::string> CaseBuilder::region_of(const Value& record, int dim) {
  const std::string region = record["region"].text();
  if (region == "all" && dim == model_.mesh->dim) return "";  // of facets and points it would mix what lies on the boundary and within
  if (!check_region(*model_.mesh, region, dim, record["region"], diagnostics_)) return std::nullopt;
  return region;
}

int CaseBuilder::constant(const Value& material, const std::string& path, const ParamSpec& p,
                          std::optional<double> fallback) {
  const Value* given = material.find(p.key);
  if (!given && !fallback)
    diagnostics_.error(material.position, material.yaml_path,
                       "'" + std::string(p.key) + "' is missing: " + std::string(p.doc) + " [" + std::string(p.unit) + "]");
  return bound_->add_number(path + "." + std::string(p.key), std::string(p.unit), {p.lower, p.upper, p.lower_open, p.upper_open},
                            given ? given->number() : fallback.value_or(1.0));
}

void CaseBuilder::check_covered(const std::vector<std::string>& regions) {
  const Mesh& mesh = *model_.mesh;
  std::vector<long long> bad(2, 0);  // cells without, cells with several
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    std::vector<int> count(mesh.cells[b].count(), 0);
    for (const std::string& region : regions) {
      if (region.empty()) {
        for (int& c : count) ++c;
      } else if (const Region* r = mesh.find_region(region); r && b < r->members.size()) {
        for (int cell : r->members[b]) ++count[cell];
      }
    }
    for (int c = 0; c < mesh.cells[b].n_owned; ++c) {
      bad[0] += count[c] == 0;
      bad[1] += count[c] > 1;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, bad.data(), 2, MPI_LONG_LONG, MPI_SUM, model_.dofs->comm());
  const Value& materials = *sections_.find("materials");
  if (bad[0]) diagnostics_.error(materials.key_position, "materials", std::to_string(bad[0]) + " cells have no material");
  if (bad[1])
    diagnostics_.error(materials.key_position, "materials", std::to_string(bad[1]) + " cells have more than one material");
}

void CaseBuilder::prescribe(const Value& support, int component, const char* key, const char* unit) {
  residual_.add_dirichlet({.region = support.key,
                           .component = component,
                           .value = bind(support, "boundary." + support.key, key, unit),
                           .adds = support["adds"].boolean()});
}

void CaseBuilder::prescribe_components(const Value& support, const char* unit) {
  for (int i = 0; i < 3; ++i) {
    const Value* v = support.find(components[i]);
    if (!v) continue;
    if (i >= model_.mesh->dim) {
      diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
      continue;
    }
    prescribe(support, i, components[i], unit);
  }
}

int CaseBuilder::free_component(const Region& region) const {
  int free = -1;
  for (const int node : region.nodes)
    for (int i = 0; i < model_.mesh->dim; ++i)
      if (const int dof = model_.dofs->dof(node, i); dof >= 0 && !residual_.held_unknowns()[dof]) free = std::max(free, i);
  MPI_Allreduce(MPI_IN_PLACE, &free, 1, MPI_INT, MPI_MAX, model_.mesh->comm);
  return free;
}

std::vector<const Value*> CaseBuilder::loads_on_prescribed() const {
  std::vector<const Value*> found;
  if (const Value* loads = sections_.find("loads"))
    for (const Value& l : *loads)
      if (const Region* region = model_.mesh->find_region(l["region"].text()); region && region->dim < model_.mesh->dim && free_component(*region) < 0)
        found.push_back(&l);
  return found;
}

void CaseBuilder::refuse_loads_on_prescribed(const std::string& what) {
  for (const Value* load : loads_on_prescribed()) {
    const Value& region = (*load)["region"];
    diagnostics_.error(region.position, region.yaml_path, "the whole " + what + " of '" + region.text() + "' is prescribed, and the load '" + (*load)["type"].text() + "' has no effect there",
                       "leave out one of the two");
  }
}

void CaseBuilder::visit_initial(const InitialUnknowns& visit) {
  const Value* initial = sections_.find("initial");
  if (!initial || !model_.march) return;
  begin_from_state(model_, *initial, diagnostics_);
  for (const Value& s : *initial) {
    if (s.key == initial_from || s.key == initial_tolerance) continue;
    const std::string region = s.key == "all" ? "" : s.key;
    if (region.empty() || check_region(*model_.mesh, region, -1, s, diagnostics_, true)) visit(s, region, "initial." + s.key);
  }
}

void CaseBuilder::initial_state(const std::string& why_no_rates, const InitialUnknowns& others) {
  visit_initial([&](const Value& s, const std::string& region, const std::string& path) {
    if (others) others(s, region, path);
    for (const Level level : {Level::value, Level::rate})
      for (int i = 0; i < 3; ++i) {
        const char* key = level == Level::value ? components[i] : velocities_of[i];
        const Value* v = s.find(key);
        if (!v) continue;
        if (i >= model_.mesh->dim)
          diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional: there is no z");
        else if (level == Level::rate && !why_no_rates.empty())
          diagnostics_.error(v->key_position, v->yaml_path, why_no_rates);
        else if (const Value* held = contradicted(sections_, s, *v, components[i], level == Level::rate))
          diagnostics_.error(v->position, v->yaml_path, "'boundary' prescribes " + std::string(components[i]) + ": " + number_text(held->number()) + " there from the start on, which excludes this initial value",
                             "leave it out, or prescribe a formula in t");
        else
          residual_.add_initial({level, region, i, bind_constant(s, path, key, level == Level::value ? "m or m/s" : "m/s")});
      }
  });
}

void CaseBuilder::note_scalable(const Value* given, int control) {
  if (!given) return;
  std::vector<int>& list = given->is_number() ? model_.path->scaled : model_.path->factors;
  if (std::find(list.begin(), list.end(), control) == list.end()) list.push_back(control);
}

std::optional<TermSetting> CaseBuilder::setting_of(const TermSpec& term, const Value& record) {
  const int dim = model_.mesh->dim;
  TermSetting setting{.dim = dim, .axisymmetric = model_.axisymmetric(), .in_time = model_.march.has_value(),
                      .is_explicit = model_.march && model_.march->scheme.is_explicit(), .choice = {}, .numbers = {}};
  if (term.choice) setting.choice = record[std::string(term.choice->key).c_str()].text();
  if (const Value* other = term.other_region ? record.find(std::string(term.other_region->key)) : nullptr) {
    setting.other_region = other->text();
    if (!check_region(*model_.mesh, setting.other_region, -1, *other, diagnostics_)) return std::nullopt;
    if (const int of = model_.mesh->find_region(setting.other_region)->dim; of != 0 && of != dim - 1) {
      diagnostics_.error(other->position, other->yaml_path, "'" + setting.other_region + "' is neither a region of points nor of facets");
      return std::nullopt;
    }
  }
  bool plane = true;
  for (const TermParameter& p : term.parameters) {
    for (const std::string& key : keys_of(p, dim)) {
      const Value* given = record.find(key);
      setting.numbers.push_back(!given ? 0.0 : given->is_number() ? given->number() : std::numeric_limits<double>::quiet_NaN());
    }
    if (!p.per_axis || dim == 3) continue;
    const std::string stem(p.spec.key);
    if (const Value* z = record.find(stem + "z"); z && !z->defaulted) {
      diagnostics_.error(z->key_position, z->yaml_path, "the mesh is two-dimensional; use " + stem + "x and " + stem + "y");
      plane = false;
    }
  }
  if (!plane) return std::nullopt;
  if (!term.refuses) return setting;
  const std::optional<TermRefusal> refusal = term.refuses(setting);
  if (!refusal) return setting;
  diagnostics_.error(record.position, record.yaml_path, refusal->what, refusal->hint);
  return std::nullopt;
}

std::vector<ControlledValue> CaseBuilder::coefficients(const TermSpec& term, const Value& record, const std::string& path) {
  std::vector<ControlledValue> values;
  for (const TermParameter& p : term.parameters) {
    const std::string unit(p.spec.unit);
    for (const std::string& key : keys_of(p, model_.mesh->dim))
      values.push_back(p.grows ? bind(record, path, key.c_str(), unit.c_str()) : bind_constant(record, path, key.c_str(), unit.c_str()));
  }
  return values;
}

}  // namespace invar
