#pragma once
#include <span>

#include "libfem/design/entry/design_entry.hpp"

namespace invar {

/// The initial velocity of a transient flow: InitialField.
DesignEntryKind initial_field_entry();

/// All design entries except numbers (NumberDesign) and shapes (`shape_library`), in the order of the manual.
std::span<const DesignEntryKind> design_library();

}  // namespace invar
