#include "apps/invar/problem/partial_checks.hpp"

#include <algorithm>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;

bool is_below(const std::string& path, const std::string& top) {
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

bool has_mistake_at(const SourcePosition& position, const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.sorted(), [&](const Diagnostic& d) { return d.position.text() == position.text(); });
}

void check_known(const Mesh& mesh, const Value& named, bool is_key, Diagnostics& diagnostics) {
  const std::string& region = is_key ? named.key : named.text();
  if (region != "all" && !has_mistake_at(is_key ? named.key_position : named.position, diagnostics)) check_region(mesh, region, -1, named, diagnostics, is_key);
}

/// Of a record and those in it.
void check_regions_in(const Value& of, const Mesh& mesh, Diagnostics& diagnostics) {
  for (const Value& v : of.children)
    if (v.key == "region" && v.is_text()) check_known(mesh, v, false, diagnostics);
    else check_regions_in(v, mesh, diagnostics);
}

}  // namespace

std::size_t mistakes_below(const std::string& path, const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::ranges::count_if(diagnostics.sorted(), [&](const Diagnostic& d) { return is_below(d.path, path); }));
}

bool is_readable(const CaseSections& sections, const Diagnostics& diagnostics) {
  constexpr const char* elsewhere[] = {"objective", "constraints", "output", "optimizer", "verify", "sweep", "expect", "mesh_motion", "combine"};
  return std::ranges::all_of(diagnostics.sorted(), [&](const Diagnostic& d) {
    const bool of_other_case = sections.own && d.path.starts_with("cases.") && !is_below(d.path, sections.own->yaml_path);
    return of_other_case || std::ranges::any_of(elsewhere, [&](const char* section) { return is_below(d.path, section); });
  });
}

void check_formulas(const Value& spec, Diagnostics& diagnostics) {
  for (const Value& v : spec.children) {
    check_formulas(v, diagnostics);
    if (!v.is_expression()) continue;
    try {
      Expression{v.text()};
    } catch (const ExpressionError& e) {
      diagnostics.error(v.position, v.yaml_path, e.what());
    }
  }
}

CaseModel mesh_only(const CaseSections& sections, MPI_Comm comm, MeshCache& cache, Diagnostics& diagnostics) {
  CaseModel model;
  model.name = sections.name.empty() ? "case" : sections.name;
  const Value *mesh = sections.find("mesh"), *options = sections.find("physics");
  for (const Value* section : {mesh, options})
    if (!section || mistakes_below(section->yaml_path, diagnostics)) return model;
  model.mesh = build_mesh(sections, physics_of((*options)["type"].text()), comm, cache, diagnostics);
  return model;
}

void check_regions(const CaseModel& model, const CaseSections& sections, const CaseRecords& records, Diagnostics& diagnostics) {
  if (!model.mesh) return;
  for (const char* by_region : {"boundary", "initial"})
    if (const Value* section = sections.find(by_region))
      for (const Value& region : *section)
        if (region.is_map() && region.key != initial_from && region.key != initial_tolerance) check_known(*model.mesh, region, true, diagnostics);
  for (const char* name : {"materials", "loads", "ties"})
    if (const Value* section = sections.find(name)) check_regions_in(*section, *model.mesh, diagnostics);
  for (const auto* list : {&records.terms, &records.constraints, &records.quantities})
    for (const Value* record : *list) check_regions_in(*record, *model.mesh, diagnostics);
}

bool is_settled(const std::string& path, const Problem& problem, const Diagnostics& diagnostics) {
  const std::size_t point = path.find('.'), end = path.find('.', point + 1);
  const std::string section = path.substr(0, point), record = path.substr(0, end);
  const Value* all = section == "cases" || point == std::string::npos ? nullptr : problem.spec.find(section);
  if (!all) return false;
  if (!all->has(record.substr(point + 1))) return mistakes_below(section, diagnostics) == 0;
  return mistakes_below(record, diagnostics) == 0 && std::ranges::any_of(problem.cases, [&](const CaseModel& model) {
           return model.residual && std::ranges::any_of(model.residual->controls(), [&](const ControlInfo& c) { return c.name.starts_with(record + "."); });
         });
}

}  // namespace invar
