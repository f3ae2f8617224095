#include "libadjoint/sampling/unit_points.hpp"

#include <boost/random/sobol.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "libadjoint/mixed_bits.hpp"
#include "libadjoint/uniform_number.hpp"

namespace invar {
namespace {

std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) { return mixed_bits(mixed_bits(seed) ^ mixed_bits(index + 1)); }

/// In (0, 1).
double open_uniform(std::mt19937_64& random) { return uniform_number(random) + 0x1p-54; }

std::uint32_t reversed(std::uint32_t x) {
  x = (x << 16) | (x >> 16);
  x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
  x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
  x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
  return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

/// Flips each bit at random, depending on the higher bits only.
std::uint32_t owen_scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed(x);
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return reversed(x);
}

}  // namespace

Eigen::MatrixXd random_points(int rows, int dimensions, std::uint64_t seed) {
  Eigen::MatrixXd points(rows, dimensions);
  for (int i = 0; i < rows; ++i) {
    std::mt19937_64 random(mixed(seed, i));
    for (int k = 0; k < dimensions; ++k) points(i, k) = open_uniform(random);
  }
  return points;
}

Eigen::MatrixXd latin_hypercube_points(int rows, int dimensions, std::uint64_t seed) {
  Eigen::MatrixXd points(rows, dimensions);
  std::vector<int> slice(rows);
  for (int k = 0; k < dimensions; ++k) {
    std::mt19937_64 random(mixed(seed, k));
    std::iota(slice.begin(), slice.end(), 0);
    // Fisher–Yates shuffle; the standard library's shuffle differs between implementations.
    for (int i = rows - 1; i > 0; --i) std::swap(slice[i], slice[static_cast<int>(uniform_number(random) * (i + 1))]);
    for (int i = 0; i < rows; ++i) points(i, k) = (slice[i] + open_uniform(random)) / rows;
  }
  return points;
}

Eigen::MatrixXd sobol_points(int rows, int dimensions, std::uint64_t seed) {
  Eigen::MatrixXd points(rows, dimensions);
  boost::random::sobol_engine<std::uint32_t, 32> sequence(dimensions);  // starts at the second point of the sequence
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < dimensions; ++k) {
      const std::uint32_t x = i == 0 ? 0 : sequence();
      points(i, k) = (owen_scrambled(x, static_cast<std::uint32_t>(mixed(seed, k))) + 0.5) * 0x1p-32;
    }
  return points;
}

}  // namespace invar
