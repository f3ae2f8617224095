#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Facets of a contact pair: both sides, or one side for self-contact. Node numbers are those of the caller. The order of the
/// facets determines that of all derived data, so it must not depend on the partition.
struct ContactFacets {
  int dim = 0;                                  // of space: 2 (facets are segments) or 3 (triangles, quadrilaterals)
  std::array<std::vector<CellBlock>, 2> sides;  // the second is empty for self-contact
  bool self() const { return sides[1].empty(); }
};

/// The facets of named regions without duplicates, ordered by their nodes in the serial mesh. `second` is empty for self-contact.
/// In a distributed mesh a rank that owns a node of any region gets all facets, other ranks get none. Collective over the ranks of
/// the mesh. Throws std::invalid_argument if a region is unknown, does not consist of facets or is empty, if both sides share a
/// facet, or if `distribute` did not keep the facets of these surfaces together.
ContactFacets facets_of_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                const std::vector<std::string>& second);

/// Number of pieces per facet edge on each side, such that both sides have about the same spacing: `samples` on the side with the
/// shorter edges (mean over the undeformed facets), proportionally more on the other. Even for second-order facets; at least 4 for triangles of second order,
/// because with 2 the weights of their corners would be zero, and nothing would keep corners from the other surface. coordinates [node × dim], m.
std::array<int, 2> divisions_of(const ContactFacets& facets, const double* coordinates, int samples);

}  // namespace invar
