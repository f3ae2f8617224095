#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "libadjoint/time/march_state.hpp"

namespace invar {

/// The owned entries of a state one after the other: for every field its entries as doubles, or a
/// scale (a power of two, so that nothing over- or underflows) and single-precision multiples of
/// it; then the numbers.
std::size_t packed_bytes(const MarchState& state, bool single_precision);

/// Adds to errors[2 i] and errors[2 i + 1] the sums over the owned entries of the squares of what
/// rounding changed in field i, and of the field.
std::vector<std::byte> pack(const MarchState& state, bool single_precision, std::span<double> errors);

/// The fields have the layouts of those that were packed.
void unpack(std::span<const std::byte> packed, bool single_precision, MarchState& state);

}  // namespace invar
