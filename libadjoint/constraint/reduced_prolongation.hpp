#pragma once
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"

namespace invar {

/// The prolongation from a coarser space for tied unknowns w = T q, from that of the first equation [own unknowns × coarse unknowns]:
/// coarse unknowns that are values of the fine function follow others where these do, by the same ties. Those that are left, and the
/// unknowns of the other equations that are not prescribed, are the coarse unknowns of q: where ties take coarse functions to coarse
/// functions (periodic sides, rigid and plane regions), every coarse function that meets them is in the range. They come in whole
/// blocks, as aggregation and unknown-wise coarsening want them: where a tie divides a block, a unit vector of the fine space stands
/// for what is missing.
/// tests: T of the first equation, in which prescribed unknowns have their own row alone. held: own unknowns of q that are prescribed.
/// Collective.
MatHandle reduced_prolongation(const ConstraintMap& map, Mat tests, const std::vector<char>& held, Mat prolongation);

}  // namespace invar
