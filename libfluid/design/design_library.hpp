#pragma once
#include <span>

#include "libfem/design/entry/design_entry.hpp"

namespace invar {

/// The velocity that a flow in time begins with: InitialField.
DesignEntryKind initial_field_entry();

/// All ways to design but numbers (NumberDesign) and shapes (`shape_library`), in the order of the manual.
std::span<const DesignEntryKind> design_library();

}  // namespace invar
