#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/contour_split.hpp"

namespace invar {

/// Some simplices of a split mesh, as bodies: what meets in a point or, in space, along an edge only has separate nodes there, because no force
/// passes.
struct SimplexBody {
  std::vector<int> chosen;     // its simplices, positions in `ContourSplit::cells`
  std::vector<Simplex> cells;  // [chosen] the same with own numbers of nodes
  std::vector<int> node;       // [own number] node of the split mesh
  std::vector<int> part;       // [chosen] which of the connected parts
  int parts = 0;
};

/// choose: [simplex] whether it belongs to the body.
SimplexBody connect(int dim, const ContourSplit& split, const std::vector<char>& choose);

/// A mesh that is a part of another one.
struct PartialMesh {
  Mesh mesh;                // serial, of first order
  std::vector<int> parent;  // [cell] cell of the other mesh that it is a part of, numbered through all blocks
  std::vector<std::pair<std::string, double>> kept_share;  // of regions of facets and points that have cells: the share that is left, from 0 to 1
};

/// The mesh of the body's parts for which keep [part] is set. It has the regions of `serial`, possibly empty: cells and facets of the body that are
/// parts of theirs, with normals out of the body; points; of curves the nodes. Facets and nodes without cells stay.
PartialMesh mesh_of(const Mesh& serial, const ContourSplit& split, const SimplexBody& body, const std::vector<char>& keep);

}  // namespace invar
