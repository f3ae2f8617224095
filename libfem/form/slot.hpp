#pragma once
#include <array>
#include <cstddef>

#include "libadjoint/level.hpp"

namespace invar {

/// A slot: one scalar that a q-function reads from the unknown at a quadrature point, and the test quantity that its
/// flux multiplies (test functions have no levels).
struct Slot {
  int component;   // of the unknown
  int derivative;  // −1: the value; k ≥ 0: ∂/∂X_k on cells, ∂/∂ξ_k (along the facet) on facets
  Level level = Level::value;
};

/// The same slots at another level.
template <std::size_t N>
constexpr std::array<Slot, N> at_level(Level level, std::array<Slot, N> slots) {
  for (Slot& s : slots) s.level = level;
  return slots;
}

/// The slots ∂u_i/∂X_j of the first Components components, (i, j) at position i·Derivatives + j.
template <int Components, int Derivatives>
constexpr std::array<Slot, Components * Derivatives> gradient_slots() {
  std::array<Slot, Components * Derivatives> s{};
  for (int i = 0; i < Components; ++i)
    for (int j = 0; j < Derivatives; ++j) s[i * Derivatives + j] = {i, j};
  return s;
}

/// The slots u_i of Components components, starting at First.
template <int Components, int First = 0>
constexpr std::array<Slot, Components> value_slots() {
  std::array<Slot, Components> s{};
  for (int i = 0; i < Components; ++i) s[i] = {First + i, -1};
  return s;
}

template <std::size_t A, std::size_t B>
constexpr std::array<Slot, A + B> join(const std::array<Slot, A>& a, const std::array<Slot, B>& b) {
  std::array<Slot, A + B> s{};
  for (std::size_t i = 0; i < A; ++i) s[i] = a[i];
  for (std::size_t i = 0; i < B; ++i) s[A + i] = b[i];
  return s;
}

}  // namespace invar
