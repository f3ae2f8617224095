#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The cells of a mesh and their regions as a Gmsh file (format 2.2, ASCII), with the nodes in the order of the serial
/// mesh and all their digits; a cell in several regions stands there once for each. Nodes of no cell are among the
/// nodes; facets are left out, and names that such a file cannot hold (with quotes or line breaks). On rank 0, elsewhere
/// empty. Collective.
std::string gmsh_text(const Mesh& mesh);

}  // namespace invar
