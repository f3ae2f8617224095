#pragma once
#include "libfem/mesh/gmsh_file.hpp"

namespace invar {

/// Parses a Wavefront OBJ file: vertices (`v`), triangles and quadrilaterals (`f`), polylines in 2-D (`l`). Objects (`o`) and
/// groups (`g`) become physical groups; everything else is ignored. Throws MeshError.
GmshFile parse_obj(GmshScanner& scanner);

/// Parses an STL file, ASCII or binary: triangles; corners with identical coordinates become one node. Throws MeshError.
GmshFile parse_stl(GmshScanner& scanner);

}  // namespace invar
