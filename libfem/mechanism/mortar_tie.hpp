#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/region_nodes.hpp"

namespace invar {

/// How the unknowns of a surface follow those of another one, whose nodes are elsewhere.
///   mortar       weighted means are equal, ∫ ψ_a (u − u_other) = 0 over the surface that follows, with the functions ψ_a
///                that are biorthogonal to its shape functions (B. I. Wohlmuth, SIAM J. Numer. Anal. 38, 2000)
///   collocation  the values at its nodes are those of the other surface there
enum class SurfaceTie { mortar, collocation };

/// Ties components of the nodes of `side` to `other`, except those that are prescribed. Returns an error message if the surfaces do not
/// fit. The integrals are exact for straight facets (`SeamRule`), so that a constant stress is transferred exactly. around_axis: integrals over
/// the full circle, x being the radius.
std::optional<std::string> tie_surfaces(const RegionNodes& side, const RegionNodes& other, const std::vector<int>& components, SurfaceTie how,
                                        bool around_axis, int source, std::vector<LinearConstraint>& out);

}  // namespace invar
