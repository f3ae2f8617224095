#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/design/field/cell_orbits.hpp"

namespace invar {

// What designs with one number per cell have in common: which cells are alike, how often a stage runs, and where a projection divides.

/// Parameters `symmetry` and `extrude`.
std::vector<EntryParameter> orbit_parameters();
/// By these parameters, the orbits of owned designed cells; null: every cell has a number of its own, or a mistake has been recorded.
/// Throws std::invalid_argument if the mesh has not the symmetry. Collective.
std::shared_ptr<const CellOrbits> orbits_of(const Mesh& mesh, const std::vector<int>& cells, const EntryValues& v, EntryMistakes& mistakes);

/// Parameters `steepness`, `iterations` and `rounds` of a stage of a search.
std::vector<EntryParameter> stage_parameters();

/// Halfway between the two values.
inline constexpr double usual_threshold = 0.5;
/// Parameter `threshold` of a projection to two values, between 0 and 1. doc: what becomes of values above it. With `usual_threshold` as its
/// default, or without one; it is then required unless it may be left out.
EntryParameter threshold_parameter(std::string_view doc, std::optional<double> default_value = usual_threshold, bool may_be_left_out = false);

}  // namespace invar
