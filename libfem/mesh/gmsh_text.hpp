#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The cells of a mesh and their regions as a Gmsh file (format 2.2, ASCII), with the nodes in the order of the serial
/// mesh and full precision. A cell in several regions is written once for each. Nodes without cells are included;
/// facets are omitted, and so are names that the format cannot hold (with quotes or line breaks). The text is on rank
/// 0, elsewhere empty. Collective.
std::string gmsh_text(const Mesh& mesh);

}  // namespace invar
