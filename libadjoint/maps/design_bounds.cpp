#include "libadjoint/maps/design_bounds.hpp"

#include <cmath>

#include "libadjoint/number_text.hpp"

namespace invar {

std::vector<EntryParameter> bound_parameters() {
  return {{.key = "lower",
           .doc = "bound, within the admissible range of the model; default: the limit of that range, or for an open limit (as of a number > 0) a point at a millionth of the start's distance from it",
           .may_be_left_out = true,
           .may_be_infinite = true},
          {.key = "upper", .doc = "likewise", .may_be_left_out = true, .may_be_infinite = true}};
}

VariableTransform transform_of(const EntryValues& values, double start) {
  const double typical = start != 0 ? std::abs(start) : 1.0;
  const std::string& scale = values.text("scale");
  return VariableTransform::by_name(scale, scale == "log" && start < 0 ? -typical : typical);
}

std::optional<std::array<double, 2>> design_bounds(const EntryValues& values, const NumberRange& admitted, double start,
                                                   VariableTransform::Kind kind, EntryMistakes& mistakes) {
  const std::size_t before = mistakes.all().size();
  if (!admitted.contains(start))
    mistakes.add(values.has("start") ? "start" : "", "the start " + number_text(start) + " is outside the admissible range of the model: " + described(admitted));
  std::array<double, 2> bounds = closed_bounds(admitted, start, kind);
  for (const int end : {0, 1}) {
    const char* key = end == 0 ? "lower" : "upper";
    if (!values.has(key) || !std::isfinite(values.number(key))) continue;
    const double b = values.number(key);
    const bool just_outside = b == (end == 0 ? admitted.lower : admitted.upper);
    if (just_outside) continue;
    if (!admitted.contains(b))
      mistakes.add(key, "the bound " + number_text(b) + " is outside the admissible range of the model: " + described(admitted),
                   "remove it: the model's bounds always apply");
    bounds[end] = b;
  }
  if (mistakes.all().size() != before) return std::nullopt;
  if (bounds[0] > bounds[1])
    mistakes.add("", "the lower bound " + number_text(bounds[0]) + " is above the upper one, " + number_text(bounds[1]));
  else if (!(bounds[0] <= start && start <= bounds[1]))
    mistakes.add("", "the start " + number_text(start) + " is outside the bounds [" + number_text(bounds[0]) + ", " + number_text(bounds[1]) + "]");
  if (mistakes.all().size() != before) return std::nullopt;
  return bounds;
}

}  // namespace invar
