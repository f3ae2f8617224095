// Reports on a state for any physics.
#include <algorithm>

#include "libadjoint/maps/sampled_extremum.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/objective/known_field.hpp"
#include "libfem/objective/nodal_extremum.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"

namespace invar {
namespace {

/// A coordinate along a line of equally spaced points.
struct Places {
  int axis = -1;  // −1: the value is reported, not the position
  double first = 0, spacing = 0;
};

/// The component at equally spaced points from one end of a line to the other; null, with an error message, on failure.
std::shared_ptr<Observable> along_line(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<double>&from = v.numbers("from"), &to = v.numbers("to");
  const int n = v.integer("samples");
  std::vector<Sample> samples;
  for (int i = 0; i < n; ++i) {
    Sample s{from, c.component};
    for (std::size_t k = 0; k < from.size(); ++k) s.point[k] += (to[k] - from[k]) * i / (n - 1);
    samples.push_back(std::move(s));
  }
  std::vector<double> distance;
  std::shared_ptr<Observable> values = make_point_samples(c.dofs, samples, distance);
  const double farthest = *std::ranges::max_element(distance);
  if (farthest == 0) return values;
  mistakes.add("", "the line leaves the mesh, by " + number_text(farthest) + " m");
  return nullptr;
}

Measurement extremum_on_line(const std::shared_ptr<Observable>& samples, const Places& places, bool greatest) {
  const auto observed = [samples](const EvaluationPoint& u) {
    std::vector<double> y(samples->size());
    samples->evaluate(u, y.data());
    return y;
  };
  Measurement m;
  if (places.axis < 0) {
    m.value = [=](const EvaluationPoint& u) { return spaced_extremum(observed(u), greatest); };
    m.linearised = [=](const EvaluationPoint& u) {
      return std::make_shared<WeightedSum>(samples, spaced_extremum_gradient(observed(u), greatest));
    };
    return m;
  }
  m.value = [=](const EvaluationPoint& u) { return places.first + places.spacing * spaced_extremum_place(observed(u), greatest); };
  m.linearised = [=](const EvaluationPoint& u) {
    std::vector<double> factors = spaced_extremum_place_gradient(observed(u), greatest);
    for (double& f : factors) f *= places.spacing;
    return std::make_shared<WeightedSum>(samples, std::move(factors));
  };
  return m;
}

Measurement extremum_in_region(const QuantityCase& c, const std::string& name, int axis, bool greatest) {
  Measurement m;
  m.value = [residual = c.residual, region = name == "all" ? "" : name, component = c.component, axis, greatest](const EvaluationPoint& u) {
    const NodalExtremum found = nodal_extremum(residual->dofs(), u, residual->coordinates(u.given).data(), region, component, greatest);
    return axis < 0 ? found.value : found.x[axis];
  };
  return m;
}

Measurement make_extremum(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const bool greatest = v.text("kind") == "max";
  Places places{.axis = v.text("give") == "value" ? -1 : v.text("give")[0] - 'x'};
  if (places.axis >= c.dim()) mistakes.add("give", "the mesh is two-dimensional; use x or y");
  if (v.has("region") && v.has("to")) mistakes.add("to", "'to' ends a line, and this is a region", "leave it out");
  if (v.has("from") && !v.has("to")) mistakes.add("", "a line from one point needs another", "add 'to'");
  if (mistakes.any()) return {};
  if (v.has("region")) return extremum_in_region(c, v.text("region"), places.axis, greatest);
  if (places.axis >= 0) {
    places.first = v.numbers("from")[places.axis];
    places.spacing = (v.numbers("to")[places.axis] - places.first) / (v.integer("samples") - 1);
  }
  const std::shared_ptr<Observable> samples = along_line(c, v, mistakes);
  return samples ? extremum_on_line(samples, places, greatest) : Measurement{};
}

Measurement make_field_error(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const KnownField known(c.dofs, v, mistakes);
  if (mistakes.any()) return {};
  Measurement m;
  m.value = [norm = known.error(known.components(), c.time)](const EvaluationPoint& u) { return norm.evaluate(u); };
  return m;
}

}  // namespace

ReportEntry<QuantityCase> extremum_report() {
  using enum EntryParameter::Kind;
  return {.name = "extremum",
          .doc = "Least or greatest value of a component along a line or among the nodes of a region, or a coordinate of its position.",
          .parameters = {{.key = "component", .kind = component, .doc = "which"},
                         {.key = "from", .kind = point, .unit = "m", .doc = "one end of the line", .may_be_left_out = true},
                         {.key = "to", .kind = point, .unit = "m", .doc = "the other end", .may_be_left_out = true},
                         {.key = "region", .kind = region_or_all, .doc = "in place of a line; 'all': everywhere", .may_be_left_out = true},
                         {.key = "kind", .kind = word, .doc = "which", .words = {{"min", "the least value"}, {"max", "the greatest value"}}},
                         {.key = "give",
                          .kind = word,
                          .doc = "value or position",
                          .default_text = "value",
                          .words = {{"value", ""}, {"x", "coordinate of its position"}, {"y", "likewise"}, {"z", "likewise"}}},
                         {.key = "samples",
                          .kind = integer,
                          .doc = "equally spaced points of the line, refined by a parabola",
                          .default_value = std::vector{1000.0},
                          .lower = 3}},
          .exactly_one_of = {"from", "region"},
          .make = &make_extremum};
}

ReportEntry<QuantityCase> field_error_report() {
  return {.name = "field_error",
          .doc = "Mean-square (L2) norm of the difference from a known displacement, velocity or scalar: √∫ |u − û|² over the mesh as given (a designed shape does not change places and weights); axisymmetric: over the meridian plane, without 2πr.",
          .parameters = {{.key = "known", .kind = EntryParameter::Kind::components, .doc = "known"}},
          .make = &make_field_error};
}

}  // namespace invar
