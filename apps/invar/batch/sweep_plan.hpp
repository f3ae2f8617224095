#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/spec/assignment.hpp"
#include "apps/invar/spec/value.hpp"

namespace invar {

/// The runs of a section `sweep`.
struct SweepPlan {
  /// A value of one key in one run, with its position in the spec.
  struct Setting {
    std::string path;
    nlohmann::ordered_json value;
    SourcePosition at;
  };
  using Point = std::vector<Setting>;

  std::vector<std::string> inputs;  // keys of all points, in order
  std::vector<Point> points;
};

/// Draws or lists the points of `spec`, which has a section `sweep`. The resulting specs are not validated.
SweepPlan plan_sweep(const spec::Value& spec, Diagnostics& diagnostics);

/// The settings as values for a tree of the spec.
std::vector<spec::Assignment> assignments_of(const SweepPlan::Point& point, Diagnostics& diagnostics);

}  // namespace invar
