#pragma once
#include <memory>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/cell_filter.hpp"

namespace invar {

/// What an entry says of the filter of its densities: radius, filter, mass. or_none: a radius of 0, the default, is no filter.
std::vector<EntryParameter> filter_parameters(bool or_none);

/// The filter of the case's mesh; null after recording what is wrong. Collective.
std::shared_ptr<CellFilter> filter_of(const DesignCase& c, const EntryValues& v, EntryMistakes& mistakes);

}  // namespace invar
