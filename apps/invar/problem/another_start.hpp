#pragma once
#include <optional>
#include <string>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// A start whose every entry is drawn between its bounds (numbers with a `range`: in it), by the seed and the entry's
/// own number, the same on any number of ranks. Nothing if an entry has no bounds: `unbounded` is its name.
/// Collective.
std::optional<DesignVector> another_start(const Problem& problem, std::uint64_t seed, std::string& unbounded);

/// Distance of two designs: the largest difference of an entry relative to the distance of its bounds.
/// Collective.
double design_distance(const Problem& problem, const DesignVector& a, const DesignVector& b);

}  // namespace invar
