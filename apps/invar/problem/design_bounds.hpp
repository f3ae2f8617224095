#pragma once
#include <array>
#include <optional>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/maps/number_range.hpp"

namespace invar {

/// Of the keys `lower` and `upper`, for the reference.
inline constexpr const char* lower_bound_doc =
    "bound, within the range that the model admits; default: the model's. From an open end of that range, as of a number > 0, the "
    "bound keeps a distance of a millionth of the start's distance from it";
inline constexpr const char* upper_bound_doc = "likewise";

/// Scaling of a design variable that begins at `start`, as its entry of `design` says. Throws std::invalid_argument
/// where the start does not suit it.
VariableTransform transform_of(const spec::Value& entry, double start);

/// The physical bounds of a design variable: `lower` and `upper` of its entry, where they are given, within what the
/// model admits. A given bound that the model just does not admit ("> 0", lower: 0) means the model's. Nothing after
/// recording that a bound or the start is not admissible.
std::optional<std::array<double, 2>> design_bounds(const spec::Value& entry, const NumberRange& admitted, double start,
                                                   VariableTransform::Kind kind, Diagnostics& diagnostics);

}  // namespace invar
