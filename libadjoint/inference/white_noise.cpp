#include "libadjoint/inference/white_noise.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace invar {
namespace {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection whose values pass for independent random numbers.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double normal_of(std::uint64_t key) {
  const auto uniform = [](std::uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53; };
  const std::uint64_t first = scrambled(key), second = scrambled(first);
  return std::sqrt(-2 * std::log1p(-uniform(first))) * std::cos(2 * std::numbers::pi * uniform(second));
}

}  // namespace

DesignVector white_noise(const std::vector<long long>& numbers, std::size_t shared, unsigned long long seed, int draw) {
  const std::uint64_t of_draw = scrambled(scrambled(seed) + static_cast<std::uint64_t>(draw));
  DesignVector z;
  for (std::size_t k = 0; k < shared; ++k) z.shared.push_back(normal_of(scrambled(of_draw ^ ~static_cast<std::uint64_t>(k))));
  for (const long long number : numbers) z.local.push_back(normal_of(scrambled(of_draw ^ static_cast<std::uint64_t>(number))));
  return z;
}

}  // namespace invar
