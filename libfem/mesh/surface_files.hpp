#pragma once
#include "libfem/mesh/gmsh_file.hpp"

namespace invar {

/// A file of Wavefront's OBJ: vertices (`v`), triangles and quadrilaterals (`f`), polylines in the plane (`l`). Objects (`o`)
/// and groups (`g`) are physical groups of their names; everything else is passed over. Throws MeshError.
GmshFile parse_obj(GmshScanner& scanner);

/// A file of STL, ASCII or binary: triangles, whose corners are one node where their coordinates are equal in all digits.
/// Throws MeshError.
GmshFile parse_stl(GmshScanner& scanner);

}  // namespace invar
