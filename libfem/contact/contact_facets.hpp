#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Facets that may touch each other: both sides of a contact pair, or one side that may touch itself. Node numbers are
/// the caller's; the order of the facets is the order of everything that is made from them, so it must not depend on
/// ranks and their number.
struct ContactFacets {
  int dim = 0;                                  // of space: 2 (facets are segments) or 3 (triangles, quadrilaterals)
  std::array<std::vector<CellBlock>, 2> sides;  // the second is empty where the first may touch itself
  bool self() const { return sides[1].empty(); }
};

/// The facets of named regions of facets, those in several of them once, ordered by their nodes in the serial mesh.
/// `second` is empty for contact with itself. Of a mesh in parts, a rank that owns a node of any region gets all facets,
/// another one none. Collective over the ranks of the mesh. std::invalid_argument where a region is unknown, not of
/// facets or without any, where both sides share a facet, or where `distribute` was not told of these surfaces.
ContactFacets facets_of_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                const std::vector<std::string>& second);

/// Into how many pieces the facets' edges of each side are divided so that both sides have about the same spacing:
/// `samples` on the side with the shorter edges (in the mean over the undeformed facets), proportionally more on the
/// other. Even numbers where facets are of second order.
std::array<int, 2> divisions_of(const ContactFacets& facets, const double* coordinates, int samples);

}  // namespace invar
