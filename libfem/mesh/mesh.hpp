#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

/// Cells of one type. `nodes` holds node_count(type) local node numbers per cell.
struct CellBlock {
  CellType type;
  std::vector<int> nodes;  // [n_cells × node_count]
  int n_owned = 0;         // the first n_owned cells belong to this rank; the rest are ghosts
  int count() const { return nodes.empty() ? 0 : static_cast<int>(nodes.size()) / node_count(type); }
};

/// A named part of the mesh. An entity may lie in several regions.
struct Region {
  std::string name;
  int dim = 0;                            // of its entities
  std::vector<std::vector<int>> members;  // per block of `cells` (dim == mesh.dim) or of `facets`
                                          // (dim == mesh.dim − 1): positions in the block,
                                          // ascending; empty for lower dimensions
  std::vector<int> nodes;                 // local node numbers, ascending, no repeats
};

/// Cells, nodes and named regions: one rank's part. In a serial mesh all nodes and cells are owned. In a distributed
/// mesh a rank holds every cell that touches one of its nodes, and the facets of these cells, so that rows of owned
/// nodes are assembled without communication. Local nodes: owned first, then ghosts. Global numbers are contiguous per
/// rank.
struct Mesh {
  MPI_Comm comm = MPI_COMM_SELF;        // the ranks that share the mesh
  int dim = 0;                          // 2 or 3
  std::vector<double> coordinates;      // [n_nodes × dim], m; undeformed
  std::vector<CellBlock> cells;         // dimension dim
  std::vector<CellBlock> facets;        // dimension dim − 1, in named regions; normals
                                        // (2-D: to the right of the segment) point out of the cell, between two cells
                                        // out of the first one; surfaces of obstacles have no cells, and nodes of their
                                        // own
  std::vector<Region> regions;
  std::vector<std::vector<unsigned char>> exterior;  // per block of cells, [cell]: bit f is set if the
                                                     // cell's facet f bounds no other cell of the whole mesh

  int n_owned_nodes = 0;                // local nodes 0 … n_owned_nodes − 1 are owned
  long long node_offset = 0;            // global number of the first owned node
  long long n_global_nodes = 0;
  std::vector<long long> ghost_nodes;   // global numbers of local nodes n_owned_nodes …
  std::vector<long long> original_node; // [n_nodes] position in the serial mesh (the file's order)
  std::vector<std::vector<long long>> original_cell;   // per block of cells: position in the serial
                                                       // mesh's block
  int node_total() const { return dim == 0 ? 0 : static_cast<int>(coordinates.size()) / dim; }
  /// nullptr when there is no such region.
  const Region* find_region(const std::string& name) const;
};

/// Completes a serial mesh with given coordinates, cells, facets and members of regions: marks everything as owned,
/// numbers nodes by position, collects the nodes of regions with members, and finds the exterior facets.
void complete_serial(Mesh& mesh);

}  // namespace invar
