#pragma once
#include <optional>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/time/time_window.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// How a case that is a process in time is integrated.
struct MarchSpec {
  TimeScheme scheme;
  bool from_equilibrium = false;  // the start is solved for
  bool linearised = false;  // convection by the velocity extrapolated from earlier times
  bool lumped = false;      // the mass of solids is concentrated at the nodes
  MarchOptions options;     // without options of Newton's method

  /// Whether the equation reads the value at the end of a step.
  bool balances_at_end() const { return scheme.step(0, 1, 1).equation[Level::value].unknown == 1; }
};

/// What `time` says of a march; nothing when the case is one of load steps. order: of the equation in time.
std::optional<MarchSpec> march_of(const spec::Value* time, int order, Diagnostics& diagnostics);

/// The times of a process, beginning with its start: a uniform grid plus the times of data.
std::vector<double> march_times(const spec::Value& time, const std::vector<double>& data_times, Diagnostics& diagnostics);

/// The time window of a record's `begin`, `end` and `window`; without weights, with an error message, if it is empty. after_start: the state
/// at the start is no solution, and the value of the first step is taken for the whole of it.
TimeWindow window_of(const std::vector<double>& times, bool after_start, const spec::Value& record, Diagnostics& diagnostics);

}  // namespace invar
