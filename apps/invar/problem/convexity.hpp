#pragma once
#include <string>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The reason why the problem, in the last stage of its density, is not known to be convex; empty: it is convex. Detected is the compliance of linear bodies under
/// dead loads with homogeneous supports, whose stiffness is an affine function of one density with a limit of volume (Svanberg, On
/// the convexity and concavity of compliances, 1994). Other convex problems are not detected.
std::string why_not_convex(const Problem& problem);

}  // namespace invar
