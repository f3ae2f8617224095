#include "apps/invar/problem/trim_spec.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {

using spec::Value;

spec::Table trim_table(SomePhysics some) {
  std::vector<spec::Table> tables = scalar_quantity_tables(some);
  for (spec::Table& t : tables)
    t.required("value", spec::number(), "required value of the quantity")
        .required("by", spec::text(), "path of the unknown number, e.g. boundary.inlet.angle; its value in the spec is the initial guess")
        .defaulted("largest_step", spec::number().above(0), "5", "largest change in one correction, in the number's unit");
  return spec::Table("trim", "Solves for a number of a steady case such that a quantity has a given value at every design.").tagged("type", "type of quantity", std::move(tables));
}

std::optional<Trim> build_trim(CaseModel& model, const Value& section, Diagnostics& diagnostics) {
  const Value& by = section["by"];
  const auto refuse = [&](const std::string& what, const std::string& instead) {
    diagnostics.error(by.position, by.yaml_path, what, instead);
    return std::nullopt;
  };
  // Within the case, whose own section it may be.
  const std::string prefix = "cases." + model.name + ".", path = by.text().starts_with(prefix) ? by.text().substr(prefix.size()) : by.text();
  const auto& controls = model.residual->controls();
  Trim trim;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    if (controls[k].name.empty() || controls[k].layout != ControlLayout::number) continue;
    names.push_back(model.path_of(controls[k].name));
    if (controls[k].name == path) trim.number = static_cast<int>(k);
  }
  if (trim.number < 0) return refuse("the case has no number '" + by.text() + "'" + did_you_mean(by.text(), names), "available numbers: " + comma_list(names));
  for (const PolarNumbers& p : model.polar)
    if (p.radius == trim.number || p.angle == trim.number) {
      if (p.radius == trim.number) return refuse("a speed cannot be the unknown of 'trim'", "use the angle");
      trim.polar = p;
    }
  trim.quantity.name = section["type"].text();
  trim.quantity.observable = build_scalar(model, section, diagnostics);
  if (!trim.quantity.observable) return std::nullopt;
  trim.quantity.steps = {model.last_step()};
  trim.target = section["value"].number();
  trim.scale = std::max(1e-3, std::abs(trim.target));
  trim.largest_step = section["largest_step"].number();
  trim.path = by.text();
  if (model.times.size() > 1) {
    diagnostics.error(section.key_position, section.yaml_path, "'trim' is for one steady state, and the case has several load steps", "leave 'time' out");
    return std::nullopt;
  }
  return trim;
}

void check_against_trim(const CaseModel& model, const Value& constraint, double lower, double upper, Diagnostics& diagnostics) {
  if (!model.trim) return;
  const Value& trim = *model.trim;
  for (const char* key : {"type", "region", "stream", "part"})
    if (const Value *a = constraint.find(key), *b = trim.find(key); (a ? a->text() : "") != (b ? b->text() : "")) return;
  const double value = trim["value"].number();
  if (value >= lower && value <= upper) return;
  diagnostics.error(constraint.position, constraint.yaml_path,
                    "'trim' keeps '" + trim["type"].text() + "' at " + number_text(value) + ", which these limits do not allow",
                    "remove the constraint, or change 'trim.value'");
}

bool is_trimmed(const CaseModel& model, int control) {
  return std::ranges::find(model.trimmed, control) != model.trimmed.end();
}

}  // namespace invar
