#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/path/path_case.hpp"

namespace invar {

struct Physics;

struct CaseModel;

/// How a case that is an equilibrium path with an unknown load factor is controlled.
struct PathSpec {
  const spec::Value* control = nullptr;  // `time.control`: a quantity, or the word arc_length
  bool chords = false;
  std::vector<int> scaled;               // controls that the load factor multiplies: by default all numbers
  std::vector<int> factors;              // of formulas, which it may multiply too

  explicit PathSpec(const spec::Value& given);
};

/// What `time.control` says; nothing where the load is given. Mistakes are recorded.
std::optional<PathSpec> path_of(const spec::Value* time, const Physics& physics, Diagnostics& diagnostics);

/// Values of the quantity, or lengths along the path, at which its points are wanted; `start`: that at rest.
std::vector<double> path_times(const spec::Value& time, const PathSpec& path, const std::vector<double>& data_times,
                               double& start, Diagnostics& diagnostics);

/// Restricts the scaled numbers to those in `time.scaled`, if given.
void choose_scaled(CaseModel& model, const spec::Value& time, Diagnostics& diagnostics);

/// Whether this load is the only unknown of a path, so that it depends on the state only.
bool finds_alone(const CaseModel& model, int control);

/// The quantity, or the square of the norm that measures chords: the mean square of the displacement.
std::shared_ptr<Observable> path_quantity(CaseModel& model, Diagnostics& diagnostics);

}  // namespace invar
