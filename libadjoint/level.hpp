#pragma once
#include <array>

namespace invar {

/// What an equation reads of the unknown: its value, first and second time derivative, and the value extrapolated from
/// earlier times, which gives linearised-implicit schemes.
enum class Level { value, rate, acceleration, predicted };
inline constexpr int level_count = 4;
inline constexpr std::array<Level, level_count> all_levels{Level::value, Level::rate, Level::acceleration,
                                                           Level::predicted};

/// One entry per level. A single value is that of Level::value.
template <class T>
struct PerLevel {
  std::array<T, level_count> entries{};

  PerLevel() = default;
  PerLevel(T value) : entries{value} {}  // NOLINT
  T& operator[](Level l) { return entries[static_cast<int>(l)]; }
  const T& operator[](Level l) const { return entries[static_cast<int>(l)]; }
};

}  // namespace invar
