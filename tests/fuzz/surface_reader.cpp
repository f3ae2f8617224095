#include "libfem/mesh/read_surface.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {
namespace {

bool read_as(std::string_view bytes, const std::string& name) {
  try {
    const Mesh mesh = parse_surface(std::string(bytes), name);
    if (!mesh.cells.empty() || mesh.facets.empty()) throw std::logic_error("a surface has facets and no cells");
    for (const double x : mesh.coordinates)
      if (!std::isfinite(x)) throw std::logic_error("a node is nowhere");
    for (const CellBlock& block : mesh.facets)
      for (const int node : block.nodes)
        if (node < 0 || node >= mesh.node_total()) throw std::logic_error("a facet has a node that is not there");
    return true;
  } catch (const MeshError& e) {
    if (!std::string_view(e.what()).starts_with(name + ":")) throw std::logic_error("a mistake without its place");
    return false;
  }
}

}  // namespace

bool read_surface(std::string_view bytes) {
  bool accepted = false;
  for (const char* name : {"a.obj", "a.stl", "a.msh"}) accepted |= read_as(bytes, name);
  return accepted;
}

}  // namespace invar::fuzz
