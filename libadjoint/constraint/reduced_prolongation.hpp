#pragma once
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"

namespace invar {

/// Prolongation from a coarser space for tied unknowns w = T q, from the prolongation of the first equation [own unknowns × coarse
/// unknowns]. Coarse unknowns that are values of the fine function are tied like these. The remaining ones, and unconstrained unknowns
/// of the other equations, are the coarse unknowns of q. If ties map coarse functions to coarse functions (periodic sides, rigid and
/// plane regions), the range contains every coarse function that satisfies them.
/// Coarse unknowns form whole blocks, as aggregation and unknown-wise coarsening require: if a tie splits a block, a unit vector of
/// the fine space replaces each missing function.
/// tests: T of the first equation, with prescribed unknowns only in their own row. held: flags of prescribed own unknowns of q.
/// Collective.
MatHandle reduced_prolongation(const ConstraintMap& map, Mat tests, const std::vector<char>& held, Mat prolongation);

}  // namespace invar
