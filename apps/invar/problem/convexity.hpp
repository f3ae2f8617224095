#pragma once
#include <string>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Why the search for the least objective is no convex problem; empty: it is one. Known to be convex is the compliance
/// of linear bodies under dead loads, held without motion, whose stiffness is an affine function of one density with a
/// limit of volume (Svanberg, On the convexity and concavity of compliances, 1994). What might be convex besides is not
/// found.
std::string why_not_convex(const Problem& problem);

}  // namespace invar
