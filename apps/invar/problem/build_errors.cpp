#include "apps/invar/problem/build_errors.hpp"

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "libfem/objective/known_field.hpp"

namespace invar {

using spec::Value;

bool check_components(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (const Value* z = record.find("u_z"); z && model.mesh->dim == 2)
    diagnostics.error(z->key_position, z->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
  for (const spec::Type::Choice& c : components_of(all_physics()))
    if (const Value* v = record.find(c.word); v && c.word != "p" && !c.word.starts_with("u_") && model.component(c.word) < 0)
      diagnostics.error(v->key_position, v->yaml_path, "the unknown has no component '" + c.word + "'",
                        c.word == "c" ? "a flow has one with 'scalar: true' in 'physics'" : "");
  return diagnostics.size() == before;
}

std::vector<CaseError> build_errors(const Value& errors, const CaseModel& model, int case_index, Diagnostics& diagnostics) {
  if (!check_components(model, errors, diagnostics)) return {};
  EntryMistakes mistakes;
  const KnownField known(model.dofs, entry_values({{.key = "known", .kind = EntryParameter::Kind::components}}, errors), mistakes);
  report(mistakes, errors, diagnostics);
  if (mistakes.any()) return {};
  std::vector<CaseError> found;
  const auto add = [&](const std::string& name, const std::vector<int>& components, bool without_mean) {
    found.push_back({name + "_l2", case_index, known.error(components, model.times.back(), without_mean)});
  };
  if (!known.vector().empty()) add(model.physics->vector_name(), known.vector(), false);
  if (const int p = model.component("p"); p >= 0 && known.has(p)) add("pressure", {p}, model.physics->pressure_has_no_level());
  for (const int c : known.scalars()) {
    const std::string& name = model.dofs->components()[c].name;
    add(name == "c" ? "scalar" : name, {c}, false);
  }
  return found;
}

}  // namespace invar
