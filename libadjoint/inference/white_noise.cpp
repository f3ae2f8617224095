#include "libadjoint/inference/white_noise.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "libadjoint/mixed_bits.hpp"

namespace invar {
namespace {

double normal_of(std::uint64_t key) {
  const auto uniform = [](std::uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53; };
  const std::uint64_t first = mixed_bits(key), second = mixed_bits(first);
  return std::sqrt(-2 * std::log1p(-uniform(first))) * std::cos(2 * std::numbers::pi * uniform(second));
}

}  // namespace

DesignVector white_noise(const std::vector<long long>& numbers, std::size_t shared, unsigned long long seed, int draw) {
  const std::uint64_t of_draw = mixed_bits(mixed_bits(seed) + static_cast<std::uint64_t>(draw));
  DesignVector z;
  for (std::size_t k = 0; k < shared; ++k) z.shared.push_back(normal_of(mixed_bits(of_draw ^ ~static_cast<std::uint64_t>(k))));
  for (const long long number : numbers) z.local.push_back(normal_of(mixed_bits(of_draw ^ static_cast<std::uint64_t>(number))));
  return z;
}

}  // namespace invar
