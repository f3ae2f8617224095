#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/mesh_error.hpp"

namespace invar {

/// Reads the surface of an obstacle into a serial mesh without cells: facets of first or second order in 3-D, segments in a plane of
/// constant z in 2-D. Formats, by suffix: OBJ, STL (ASCII or binary), Gmsh (2.2 or 4.1; elements without a group are read too); plain
/// or gzip. Groups become regions. Repeated facets are merged, and degenerate facets, which CAD triangulations may contain, are
/// dropped. The orientation of facets does not matter.
/// Throws MeshError for a file that is missing, truncated or inconsistent, that has cells, or no facets.
Mesh read_surface(const std::string& path);
/// The same from the uncompressed content of a file; `name`, with its suffix, is used in messages.
Mesh parse_surface(std::string content, const std::string& name);

}  // namespace invar
