#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/mesh_error.hpp"

namespace invar {

/// Reads a Gmsh mesh, format 2.2 or 4.1, ASCII or binary, plain or gzip, into a serial mesh.
///
/// Cells are the elements of the highest dimension; where that is 2 they must lie in a plane of
/// constant z, and the mesh is 2-D. Points, segments, triangles, quadrilaterals, tetrahedra and
/// hexahedra of first or complete second order are read. Physical groups become regions, called by
/// their tag where they have no name; an element in several groups is kept once. Elements below
/// the cells' dimension are kept only where a group names them; below the facets only their nodes.
/// Nodes of no cell are dropped; the others keep the order of the file, in which `kept` gets their
/// positions. A cell that is merely numbered the wrong way round (negative Jacobian at all vertices)
/// is renumbered, and facets are turned to point outwards.
///
/// Throws MeshError for a file that is missing, truncated or inconsistent, for elements that are
/// not supported, and for cells that are flat or turned inside out.
Mesh read_gmsh(const std::string& path, std::vector<int>* kept = nullptr);
/// The same of what such a file holds, uncompressed; `name` is shown in messages.
Mesh parse_gmsh_mesh(std::string content, const std::string& name, std::vector<int>* kept = nullptr);

}  // namespace invar
