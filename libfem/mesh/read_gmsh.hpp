#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/mesh_error.hpp"

namespace invar {

/// Reads a Gmsh mesh, format 2.2 or 4.1, ASCII or binary, plain or gzip, into a serial mesh.
/// Cells are the elements of the highest dimension; in 2-D they must lie in a plane of constant z. Supported are
/// points, segments, triangles, quadrilaterals, tetrahedra and hexahedra of first or complete second order. Physical
/// groups become regions, named by their tag if they have no name; an element in several groups is kept once. Elements
/// of lower dimension are kept only if a group contains them; below the dimension of facets only their nodes. Nodes
/// without cells are dropped; the others keep the order of the file, and `kept` receives their positions in it. A cell
/// with reversed orientation (negative Jacobian at all vertices) is renumbered, and facets are oriented outwards.
/// Throws MeshError for a missing, truncated or inconsistent file, for unsupported elements, and for degenerate or
/// inverted cells.
Mesh read_gmsh(const std::string& path, std::vector<int>* kept = nullptr);
/// The same from the uncompressed content of a file; `name` is used in messages.
Mesh parse_gmsh_mesh(std::string content, const std::string& name, std::vector<int>* kept = nullptr);

}  // namespace invar
