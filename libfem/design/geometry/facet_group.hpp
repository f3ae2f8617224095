#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Facets of one type, whole and in the same order on every rank.
struct FacetGroup {
  CellType type;
  std::vector<long long> nodes;  // [n × node_count], numbers in the serial mesh
  std::vector<double> points;    // [n × node_count × dim], m
  int count() const { return static_cast<int>(nodes.size()) / node_count(type); }
};

/// The facets of all these regions from all ranks, each once, by block of mesh.facets and sorted by
/// their nodes (collective). coordinates: [n_nodes × dim] of this rank's nodes, moved or not.
/// Throws std::invalid_argument for a region that does not exist or has no facets' dimension.
std::vector<FacetGroup> gather_facets(const Mesh& mesh, const std::vector<std::string>& regions,
                                      const std::vector<double>& coordinates);

}  // namespace invar
