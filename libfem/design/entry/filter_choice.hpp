#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/cell_filter.hpp"

namespace invar {

/// Parameters of an entry's density filter: radius, filter, mass. or_none: a radius of 0, the default, means no filter.
std::vector<EntryParameter> filter_parameters(bool or_none);

/// Checks that a length [m] by which a field is smoothed reaches from cell to cell: it is at least the width of the smallest cell, and larger if
/// `strictly`. The width is that of a square or cube of the cell's size, of the meridian plane if axisymmetric. Else a mistake is recorded
/// under `key`. name: the length, at the beginning of the message; right: what would be right. Collective.
bool reaches_neighbours(const std::shared_ptr<const Mesh>& mesh, const char* key, const std::string& name, double length, bool strictly, const char* right,
                        EntryMistakes& mistakes);
/// The same for the radius of a filter, under `radius`.
bool filter_reaches_neighbours(const std::shared_ptr<const Mesh>& mesh, double radius, bool strictly, EntryMistakes& mistakes);

/// The filter on the case's mesh; null after recording a mistake. Collective.
std::shared_ptr<CellFilter> filter_of(const DesignCase& c, const EntryValues& v, EntryMistakes& mistakes);

}  // namespace invar
