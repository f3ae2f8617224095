#include "apps/invar/problem/quantity_entries.hpp"

#include <algorithm>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/build_errors.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/spec/did_you_mean.hpp"

namespace invar {
namespace {

using spec::Value;

/// The number of the case that the spec has under a path; −1 after recording that there is none.
int number_under(const CaseModel& model, const Value& variable, Diagnostics& diagnostics) {
  const std::string path = model.path_here(variable.text()).value_or("");
  const auto& controls = model.residual->controls();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    if (controls[k].name.empty() || !controls[k].shared()) continue;
    if (controls[k].name == path) return static_cast<int>(k);
    names.push_back(controls[k].name);
  }
  diagnostics.error(variable.position, variable.yaml_path, "the case has no number '" + variable.text() + "'" + did_you_mean(path, names));
  return -1;
}

bool has_region(const QuantityCase& c, EntryParameter::Kind kind, const Value& named, Diagnostics& diagnostics) {
  const std::string& region = named.text();
  const int dim = c.dim();
  switch (kind) {
    case EntryParameter::Kind::facet_region: return check_region(c.mesh(), region, dim - 1, named, diagnostics);
    case EntryParameter::Kind::region_or_all: return region == "all" || check_region(c.mesh(), region, -1, named, diagnostics);
    case EntryParameter::Kind::any_region: return check_region(c.mesh(), region, -1, named, diagnostics);
    case EntryParameter::Kind::body_region:
      if (c.names_facets(region)) return true;
      [[fallthrough]];
    default: return region == "all" || check_region(c.mesh(), region, dim, named, diagnostics);
  }
}

}  // namespace

bool describe_case(QuantityCase& c, const std::vector<EntryParameter>& parameters, const CaseModel& model, const Value& record,
                   Diagnostics& diagnostics) {
  using enum EntryParameter::Kind;
  c.dofs = model.dofs;
  c.residual = model.residual;
  c.axisymmetric = model.axisymmetric();
  c.in_time = model.march.has_value();
  for (const ComponentSpec& one : components_of(all_physics()))
    if (one.axis < 0 && model.component(one.word) < 0) c.absent.push_back(one.word);
  bool right = true;
  for (const EntryParameter& p : parameters) {
    if (p.kind == components) right &= check_components(model, record, diagnostics);
    const Value* given = record.find(p.key);
    if (!given) continue;
    switch (p.kind) {
      case cell_region:
      case facet_region:
      case any_region:
      case region_or_all:
      case body_region: right &= has_region(c, p.kind, *given, diagnostics); break;
      case point: right &= check_point(model, *given, diagnostics); break;
      case direction:
        if (static_cast<int>(given->size()) == c.dim() && std::ranges::any_of(given->numbers(), [](double n) { return n != 0; })) break;
        diagnostics.error(given->position, given->yaml_path, "the direction must have " + std::to_string(c.dim()) + " components, not all of them zero");
        right = false;
        break;
      case axis:
        if (given->text()[0] - 'x' < c.dim()) break;
        diagnostics.error(given->position, given->yaml_path, "the mesh is two-dimensional; use x or y");
        right = false;
        break;
      case component: right &= (c.component = component_of(model, *given, diagnostics)) >= 0; break;
      case variable: right &= (c.control = number_under(model, *given, diagnostics)) >= 0; break;
      case designed_field:
        if (given->text().starts_with("initial.")) c.control = initial_field_of(model, *given, diagnostics);
        else if ((c.field = find_field(model, *given, diagnostics))) c.control = c.field->control;
        right &= c.control >= 0;
        break;
      default: break;
    }
  }
  return right;
}

}  // namespace invar
