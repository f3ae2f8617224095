#pragma once
#include <memory>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/cell_filter.hpp"

namespace invar {

/// Parameters of an entry's density filter: radius, filter, mass. or_none: a radius of 0, the default, means no filter.
std::vector<EntryParameter> filter_parameters(bool or_none);

/// The filter on the case's mesh; null after recording a mistake. Collective.
std::shared_ptr<CellFilter> filter_of(const DesignCase& c, const EntryValues& v, EntryMistakes& mistakes);

}  // namespace invar
