#include "libfem/mesh/read_gmsh.hpp"

#include <stdexcept>

#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {

bool read_mesh(std::string_view bytes) {
  try {
    const Mesh mesh = parse_gmsh_mesh(std::string(bytes), "mesh.msh");
    const int nodes = mesh.node_total();
    for (const auto* blocks : {&mesh.cells, &mesh.facets})
      for (const CellBlock& block : *blocks)
        for (const int node : block.nodes)
          if (node < 0 || node >= nodes) throw std::logic_error("a cell has a node that is not there");
    return true;
  } catch (const MeshError& e) {
    if (!std::string_view(e.what()).starts_with("mesh.msh:")) throw std::logic_error("a mistake without its place");
    return false;
  }
}

}  // namespace invar::fuzz
