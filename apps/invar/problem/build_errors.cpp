#include "apps/invar/problem/build_errors.hpp"

#include <algorithm>
#include <utility>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "libfem/objective/known_field.hpp"

namespace invar {

using spec::Value;

bool check_components(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  for (const ComponentSpec& c : components_of(all_physics())) {
    const Value* v = record.find(c.word);
    if (!v || c.is_pressure || model.component(c.word) >= 0) continue;
    if (c.axis >= model.mesh->dim) diagnostics.error(v->key_position, v->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
    else diagnostics.error(v->key_position, v->yaml_path, "the unknown has no component '" + c.word + "'", c.advice);
  }
  return diagnostics.size() == before;
}

std::vector<CaseError> build_errors(const Value& errors, const CaseModel& model, int case_index, Diagnostics& diagnostics) {
  if (!check_components(model, errors, diagnostics)) return {};
  EntryMistakes mistakes;
  const KnownField known(model.dofs, entry_values({{.key = "known", .kind = EntryParameter::Kind::components}}, errors), mistakes);
  report(mistakes, errors, diagnostics);
  if (mistakes.any()) return {};
  // Components of one vector have one norm.
  std::vector<std::pair<const ComponentSpec*, std::vector<int>>> norms;
  for (const int c : known.components()) {
    const auto& specs = physics_of(model.physics_word).components;
    const ComponentSpec& spec = *std::ranges::find(specs, model.dofs->components()[c].name, &ComponentSpec::word);
    const auto same = std::ranges::find_if(norms, [&](const auto& norm) { return norm.first->norm_name() == spec.norm_name(); });
    if (same != norms.end()) same->second.push_back(c);
    else norms.push_back({&spec, {c}});
  }
  std::vector<CaseError> found;
  for (const auto& [spec, components] : norms)
    found.push_back({spec->norm_name() + "_l2", case_index,
                     known.error(components, model.times.back(), spec->is_pressure && model.physics->pressure_has_no_level())});
  return found;
}

}  // namespace invar
