#pragma once
#include <array>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Facets of cells that touch without being connected.
struct OpenSeam {
  int facets = 0;                 // how many
  std::array<double, 3> place{};  // m, the middle of the first one
};

/// Facets of the boundary whose middle lies on another such facet, within 1e-4 of its size. Their nodes coincide without being one, or hang
/// in the edge or face of a larger cell, and no unknown is continuous there. Facets of regions do not count: a crack, or an interface for
/// contact or ties, has a name on one side at least. Facets count as straight: of a curved interface only those with the same vertices are
/// found. `serial` is complete; O(n log n) for n facets of the boundary.
OpenSeam find_open_seam(const Mesh& serial);

}  // namespace invar
