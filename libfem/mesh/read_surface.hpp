#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/mesh_error.hpp"

namespace invar {

/// Reads the surface of an obstacle into a serial mesh without cells: facets of first or second order in space, segments in the
/// plane of constant z. Files: OBJ, STL (ASCII or binary) or Gmsh (format 2.2 or 4.1, of which elements in no group count, too),
/// plain or gzip, by their suffix. Groups become regions. Repeated facets are kept once, and facets without size are dropped: programs
/// that triangulate drawings leave some. Nothing depends on which way a facet is turned.
///
/// Throws MeshError for a file that is missing, truncated or inconsistent, that has cells, or no facets.
Mesh read_surface(const std::string& path);
/// The same of what such a file holds, uncompressed; `name`, with its suffix, is shown in messages.
Mesh parse_surface(std::string content, const std::string& name);

}  // namespace invar
