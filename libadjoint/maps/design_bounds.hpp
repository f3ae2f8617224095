#pragma once
#include <array>
#include <optional>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libadjoint/maps/number_range.hpp"

namespace invar {

/// The parameters `lower` and `upper`: bounds of a design variable.
std::vector<EntryParameter> bound_parameters();

/// Transform of a design variable with the given start, from the parameter `scale` (linear or log). Throws
/// std::invalid_argument if the start is not admissible for it.
VariableTransform transform_of(const EntryValues& values, double start);

/// Physical bounds of a design variable: `lower` and `upper` if given, intersected with the model's range. A given
/// bound that equals an excluded bound of the model ("> 0" and lower: 0) stands for the model's bound. Returns nothing,
/// and records a mistake, if a bound or the start is not admissible.
std::optional<std::array<double, 2>> design_bounds(const EntryValues& values, const NumberRange& admitted, double start,
                                                   VariableTransform::Kind kind, EntryMistakes& mistakes);

}  // namespace invar
