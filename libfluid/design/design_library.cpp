#include "libfluid/design/design_library.hpp"

namespace invar {

std::span<const DesignEntryKind> design_library() {
  static const DesignEntryKind entries[] = {signal_entry(), density_entry(), solid_density_entry(), field_entry(), gaussian_field_entry(), initial_field_entry()};
  return entries;
}

}  // namespace invar
