#pragma once
#include <array>
#include <optional>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libadjoint/maps/number_range.hpp"

namespace invar {

/// `lower` and `upper`, bounds of a design variable as an entry is given them.
std::vector<EntryParameter> bound_parameters();

/// Scaling of a design variable that begins at `start`: of the word `scale`, linear or log. Throws
/// std::invalid_argument where the start does not suit it.
VariableTransform transform_of(const EntryValues& values, double start);

/// The physical bounds of a design variable: `lower` and `upper`, where they are given, within what the model admits. A
/// given bound that the model just does not admit ("> 0", lower: 0) means the model's. Nothing after recording that a
/// bound or the start is not admissible.
std::optional<std::array<double, 2>> design_bounds(const EntryValues& values, const NumberRange& admitted, double start,
                                                   VariableTransform::Kind kind, EntryMistakes& mistakes);

}  // namespace invar
