#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "libadjoint/time/march_state.hpp"

namespace invar {

/// Size in bytes of a packed state: the owned entries of every field as doubles, or as single-precision multiples of a
/// scale (a power of two, so that nothing over- or underflows); then the numbers.
std::size_t packed_bytes(const MarchState& state, bool single_precision);

/// Packs a state. Adds to errors[2 i] the sum of squares of the rounding errors of field i over the owned entries,
/// and to errors[2 i + 1] the sum of squares of the field.
std::vector<std::byte> pack(const MarchState& state, bool single_precision, std::span<double> errors);

/// Unpacks a state. Its fields must have the layouts of the packed ones.
void unpack(std::span<const std::byte> packed, bool single_precision, MarchState& state);

}  // namespace invar
