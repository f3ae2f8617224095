#include <algorithm>
#include <cmath>

#include "apps/invar/problem/physics_fit.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

using spec::Value;

/// The component at equally spaced points from one end of a line to the other.
std::shared_ptr<Observable> along_line(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const int component = component_of(model, record["component"], diagnostics);
  const bool right = check_point(model, record["from"], diagnostics) && check_point(model, record["to"], diagnostics);
  if (component < 0 || !right) return nullptr;
  const std::vector<double> from = record["from"].numbers(), to = record["to"].numbers();
  const int n = static_cast<int>(record["samples"].integer());
  std::vector<Sample> samples;
  for (int i = 0; i < n; ++i) {
    Sample s{from, component};
    for (std::size_t k = 0; k < from.size(); ++k) s.point[k] += (to[k] - from[k]) * i / (n - 1);
    samples.push_back(std::move(s));
  }
  std::vector<double> distance;
  std::shared_ptr<Observable> values = make_point_samples(model.dofs, samples, distance);
  const double farthest = *std::max_element(distance.begin(), distance.end());
  if (farthest > 0)
    diagnostics.error(record.position, record.yaml_path, "the line leaves the mesh, by " + number_text(farthest) + " m");
  return values;
}

}  // namespace

void build_quantities(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  for (const Value* record : records) {
    const bool extremum = (*record)["type"].text() == "extremum";
    Quantity q{record->key, case_index, step_of(model, *record, diagnostics), nullptr, Quantity::Of::sum};
    q.observable = extremum ? along_line(model, *record, diagnostics) : build_scalar(model, *record, diagnostics);
    if (extremum) q.of = (*record)["kind"].text() == "min" ? Quantity::Of::least : Quantity::Of::greatest;
    problem.quantities.push_back(std::move(q));
  }
}

void build_constraints(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  for (const Value* record : records) {
    const Value& r = *record;
    CaseConstraint c;
    c.info.name = r["name"].text().empty() ? r["type"].text() : r["name"].text();
    if (const Value* lower = r.find("lower")) c.info.lower = lower->number();
    if (const Value* upper = r.find("upper")) c.info.upper = upper->number();
    if (c.info.lower > c.info.upper)
      diagnostics.error(r["lower"].position, r["lower"].yaml_path, "the lower limit is above the upper one");
    double size = 0;
    for (double limit : {c.info.lower, c.info.upper})
      if (std::isfinite(limit)) size = std::max(size, std::abs(limit));
    c.info.scale = r.has("scale") ? r["scale"].number() : size > 0 ? size : 1.0;
    c.case_index = case_index;
    c.quantity = {c.info.name, build_scalar(model, r, diagnostics), {step_of(model, r, diagnostics)}, 1.0};
    const auto same = [&](const CaseConstraint& other) { return other.info.name == c.info.name; };
    if (std::any_of(problem.constraints.begin(), problem.constraints.end(), same))
      diagnostics.error(r.position, r.yaml_path, "there is already a constraint '" + c.info.name + "'", "give each its own 'name'");
    problem.constraints.push_back(std::move(c));
  }
}

}  // namespace invar
