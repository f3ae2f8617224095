#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/gmsh_scanner.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Content of a Gmsh file, or of another mesh file in the same structure: elements sorted by type, nodes numbered from
/// 0 in file order.
struct GmshFile {
  /// Elements of one type.
  struct Elements {
    CellType type;
    std::vector<int> nodes;     // [n × node_count], VTK order
    std::vector<int> groups;    // [n], index into group_sets
    std::vector<size_t> place;  // [n], position in the file
    size_t count() const { return groups.size(); }
  };
  std::vector<double> coordinates;           // [n_nodes × 3]
  std::vector<Elements> elements;            // one entry per type
  std::vector<std::vector<int>> group_sets;  // tags of physical groups; the first set is empty
  std::map<std::pair<int, int>, std::string> group_names;  // (dimension, tag) → name
};

/// Reads format 2.2 or 4.1. Throws MeshError.
GmshFile parse_gmsh(GmshScanner& scanner);

/// Merges elements with the same vertices into one that belongs to all their groups. elements: of the file.
void merge_repeated(GmshFile& file, GmshFile::Elements& elements);

}  // namespace invar
