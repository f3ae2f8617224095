#pragma once
#include <memory>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/design/field/cell_orbits.hpp"

namespace invar {

// What designs with one number per cell have in common: which cells are alike, and how often a stage runs.

/// Parameters `symmetry` and `extrude`.
std::vector<EntryParameter> orbit_parameters();
/// By these parameters, the orbits of owned designed cells; null: every cell has a number of its own, or a mistake has been recorded.
/// Throws std::invalid_argument if the mesh has not the symmetry. Collective.
std::shared_ptr<const CellOrbits> orbits_of(const Mesh& mesh, const std::vector<int>& cells, const EntryValues& v, EntryMistakes& mistakes);

/// Parameters `steepness`, `iterations` and `rounds` of a stage of a search.
std::vector<EntryParameter> stage_parameters();

}  // namespace invar
