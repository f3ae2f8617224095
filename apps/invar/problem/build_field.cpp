#include "apps/invar/problem/build_field.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/design_bounds.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libfem/design/field/material_field.hpp"

namespace invar {
namespace {

using namespace spec;

/// The control that a path of this case names; −1 without one.
int find_control(const CaseModel& model, const std::string& path) {
  const auto& controls = model.residual->controls();
  for (std::size_t k = 0; k < controls.size(); ++k)
    if (controls[k].name == path) return static_cast<int>(k);
  return -1;
}

/// Region of the material that a constant "materials.NAME.KEY" belongs to.
std::string region_of_constant(const CaseModel& model, const std::string& path) {
  const std::size_t first = path.find('.') + 1;
  return model.physics->region_of_material(path.substr(first, path.find('.', first) - first));
}

/// The field's values; nothing after recording what of them the model does not admit.
std::optional<FieldRange> range_of(const Value& entry, const CaseModel& model, int control, double outside, Diagnostics& diagnostics) {
  const NumberRange& admitted = model.admitted.at(control);
  FieldRange r;
  r.outside = outside;
  r.start = entry.has("start") && entry["start"].is_number() ? entry["start"].number() : outside;
  r.least = admitted.lower_open ? std::nextafter(admitted.lower, INFINITY) : admitted.lower;
  r.greatest = admitted.upper_open ? std::nextafter(admitted.upper, -INFINITY) : admitted.upper;
  const auto bounds = design_bounds(entry, admitted, r.start, transform_of(entry, r.start).kind(), diagnostics);
  if (!bounds) return std::nullopt;
  r.lower = (*bounds)[0];
  r.upper = (*bounds)[1];
  return r;
}

/// No case has a constant of that path.
void say_unknown(const Value& entry, const Problem& problem, Diagnostics& diagnostics) {
  const std::string path = entry["variable"].text();
  std::vector<std::string> names;
  for (const CaseModel& model : problem.cases) {
    if (!model.process) return;  // its own mistakes may have hidden it
    for (const ControlInfo& c : model.residual->controls())
      if (const std::string name = model.path_of(c.name);
          c.name.starts_with("materials.") && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  diagnostics.error(entry["variable"].position, entry["variable"].yaml_path,
                    "there is no constant of a material under '" + path + "'" + did_you_mean(path, names), "what can be a field: " + known);
}

}  // namespace

Table field_table() {
  return Table("field", "A constant of a material that may differ from cell to cell: one value per cell, filtered.")
      .required("variable", text(), "e.g. materials.tissue.young, materials.fluid.viscosity; cases.NAME.… for one case")
      .required("radius", number("m").above(0), "of the filter: the length below which the field does not change much; at least two cells")
      .defaulted("scale", choice({{"linear", "any sign"}, {"log", "keeps its sign; the filter takes geometric means"}}), "log",
                 "how the optimiser and the filter see it")
      .optional("start", value_or_formula(""), "values of the cells at the start, before the filter: a number, or a formula in x, y, z; default: the value in its place")
      .optional("lower", number().or_infinite(), lower_bound_doc)
      .optional("upper", number().or_infinite(), upper_bound_doc)
      .optional("region", text(), "cell region that is designed; default: where the material is");
}

void add_fields(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const Value* design = sections.top->find("design");
  if (!design || !model.residual) return;
  for (const Value& entry : *design) {
    if (entry["kind"].text() != "field") continue;
    const Value& variable = entry["variable"];
    const std::optional<std::string> path = model.path_here(variable.text());
    const int control = path && path->starts_with("materials.") ? find_control(model, *path) : -1;
    if (control < 0) continue;  // of another case, or a mistake that is reported when the design is built
    if (!model.residual->controls()[control].shared()) {
      diagnostics.error(variable.position, variable.yaml_path, "'" + variable.text() + "' is listed twice");
      continue;
    }
    if (const std::string why = model.physics->why_no_field(control); !why.empty()) {
      diagnostics.error(variable.position, variable.yaml_path, why);
      continue;
    }
    const std::string of_material = region_of_constant(model, *path);
    const std::string region = entry.has("region") ? entry["region"].text() : of_material;
    if (!region.empty() && !check_region(*model.mesh, region, model.mesh->dim, entry.has("region") ? entry["region"] : entry, diagnostics))
      continue;
    try {
      const double value = model.residual->control_values()[control][0];
      const std::optional<FieldRange> range = range_of(entry, model, control, value, diagnostics);
      if (!range) continue;
      model.fields.push_back({variable.text(), region, control, value, transform_of(entry, range->start)});
      model.residual->spread_control(control);
    } catch (const std::invalid_argument& e) {
      diagnostics.error(entry.position, entry.yaml_path, e.what());
    }
  }
}

std::shared_ptr<Parameterization> build_field(const Value& entry, Problem& problem, Diagnostics& diagnostics) {
  const std::string path = entry["variable"].text();
  std::vector<MaterialField::Target> targets;
  const CaseModel* first = nullptr;
  const DesignedField* field = nullptr;
  for (std::size_t c = 0; c < problem.cases.size(); ++c)
    for (const DesignedField& f : problem.cases[c].fields) {
      if (f.path != path) continue;
      if (first && first->mesh != problem.cases[c].mesh) {
        diagnostics.error(entry.position, entry.yaml_path, "a field is designed for all cases together, and they have different meshes",
                          "give the mesh once, at the top of the spec");
        return nullptr;
      }
      if (!first) first = &problem.cases[c], field = &f;
      targets.push_back({static_cast<int>(c), f.control});
    }
  if (!first) {
    say_unknown(entry, problem, diagnostics);
    return nullptr;
  }
  try {
    const std::optional<FieldRange> range = range_of(entry, *first, field->control, field->value, diagnostics);
    if (!range) return nullptr;
    const auto filter = std::make_shared<HelmholtzFilter>(first->mesh, entry["radius"].number(), first->axisymmetric());
    return std::make_shared<MaterialField>(filter, field->region, field->transform, *range, targets);
  } catch (const std::invalid_argument& e) {
    diagnostics.error(entry.position, entry.yaml_path, e.what());
    return nullptr;
  }
}

}  // namespace invar
