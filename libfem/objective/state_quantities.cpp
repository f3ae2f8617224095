// Quantities of the unknown and of controls for any physics.
#include "libadjoint/number_text.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

std::shared_ptr<Observable> make_point(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Level level = v.text("of") == "rate" ? Level::rate : Level::value;
  if (level == Level::rate && !c.in_time) {
    mistakes.add("of", "rates exist in processes in time only", "give 'time' a 'scheme'");
    return nullptr;
  }
  std::vector<double> distance;
  std::shared_ptr<Observable> value = make_point_samples(c.dofs, {{v.numbers("point"), c.component}}, distance, level);
  if (distance[0] > 0) mistakes.add("point", "the point lies outside the mesh, by " + number_text(distance[0]) + " m");
  return value;
}

std::shared_ptr<Observable> make_cost(const QuantityCase& c, const EntryValues&, EntryMistakes&) {
  return make_actuation(c.residual, c.control);
}

std::shared_ptr<Observable> make_number(const QuantityCase& c, const EntryValues&, EntryMistakes&) {
  return std::make_shared<NumberValue>(c.residual, c.control);
}

}  // namespace

QuantityEntry<QuantityCase> point_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "point",
          .doc = "Displacement or velocity (flow), pressure or scalar at a point; in time also its rate.",
          .parameters = {{.key = "point", .kind = point, .unit = "m", .doc = "undeformed position"},
                         {.key = "component", .kind = component, .doc = "which"},
                         {.key = "of",
                          .kind = word,
                          .doc = "value or rate",
                          .default_text = "value",
                          .words = {{"value", ""}, {"rate", "its first derivative in time"}}}},
          .make = &make_point};
}

QuantityEntry<QuantityCase> actuation_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "actuation",
          .doc = "Square of a number of this spec at the time: the cost of a control.",
          .parameters = {{.key = "variable", .kind = variable, .doc = "its path, as in 'design'"}},
          .make = &make_cost};
}

QuantityEntry<QuantityCase> number_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "number",
          .doc = "Value of a number of this spec in the case; for a number that 'trim' solves for, the solution.",
          .parameters = {{.key = "variable", .kind = variable, .doc = "its path, as in 'design'"}},
          .make = &make_number};
}

}  // namespace invar
