#pragma once
#include <cstddef>

namespace invar {

/// Entries of element matrices that a form stores on a device at a time: 256 MB.
inline constexpr std::size_t most_stored_entries = std::size_t(1) << 25;

}  // namespace invar
