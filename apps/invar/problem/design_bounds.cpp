#include "apps/invar/problem/design_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/spec/number_text.hpp"
#include "apps/invar/spec/type.hpp"

namespace invar {
namespace {

/// "a number > 0"
std::string words_of(const NumberRange& range) {
  spec::Type type = spec::number();
  type.lower = range.lower;
  type.upper = range.upper;
  type.lower_open = range.lower_open;
  type.upper_open = range.upper_open;
  return type.described();
}

}  // namespace

VariableTransform transform_of(const spec::Value& entry, double start) {
  const double typical = start != 0 ? std::abs(start) : 1.0;
  const std::string scale = entry["scale"].text();
  return VariableTransform::by_name(scale, scale == "log" && start < 0 ? -typical : typical);
}

std::optional<std::array<double, 2>> design_bounds(const spec::Value& entry, const NumberRange& admitted, double start,
                                                   VariableTransform::Kind kind, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (!admitted.contains(start)) {
    const spec::Value& at = entry.has("start") ? entry["start"] : entry;
    diagnostics.error(at.position, at.yaml_path, "the start " + number_text(start) + " is not what the model admits: " + words_of(admitted));
  }
  std::array<double, 2> bounds = closed_bounds(admitted, start, kind);
  for (const int end : {0, 1}) {
    const spec::Value* given = entry.find(end == 0 ? "lower" : "upper");
    if (!given || !std::isfinite(given->number())) continue;
    const double b = given->number();
    const bool just_outside = b == (end == 0 ? admitted.lower : admitted.upper);
    if (!just_outside && !admitted.contains(b))
      diagnostics.error(given->position, given->yaml_path,
                        "the bound " + number_text(b) + " is not what the model admits: " + words_of(admitted),
                        "leave it out: the model's bounds hold by themselves");
    else if (!just_outside)
      bounds[end] = b;
  }
  if (diagnostics.size() != before) return std::nullopt;
  std::string wrong;
  if (bounds[0] > bounds[1])
    wrong = "the lower bound " + number_text(bounds[0]) + " is above the upper one, " + number_text(bounds[1]);
  else if (!(bounds[0] <= start && start <= bounds[1]))
    wrong = "the start " + number_text(start) + " is outside the bounds [" + number_text(bounds[0]) + ", " + number_text(bounds[1]) + "]";
  if (wrong.empty()) return bounds;
  diagnostics.error(entry.position, entry.yaml_path, wrong);
  return std::nullopt;
}

}  // namespace invar
