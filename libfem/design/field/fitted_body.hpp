#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Where an experiment holds a body, on the nodes of a serial mesh.
struct BodySupport {
  std::vector<char> held;     // [node × dim] displacements that are prescribed
  std::vector<char> touched;  // [node] where loads, springs, contact or ties act
};

/// A design by density, on the serial mesh.
struct DensityOnCells {
  std::vector<double> filtered;    // [cell through all blocks] before the projection
  std::vector<signed char> fixed;  // [cell] 1: material, 0: void, −1: designed
  std::optional<double> level;     // filtered densities above it are material; nothing: that which gives the designed cells `volume`
  double volume = 0;               // m³; planar per metre of depth
  bool axisymmetric = false;       // x is the radius: volumes of the full circle
};

/// The body of a density on a mesh of simplices that fits its boundary.
struct FittedBody {
  Mesh mesh;                // serial, of first order, with the regions of the original mesh
  std::vector<int> parent;  // [cell] cell of the original mesh that it is a part of, numbered through all blocks
  double level = 0;         // threshold of the filtered density
  double volume = 0;        // m³, of the whole mesh
  int islands = 0;          // parts that supports do not hold and loads do not touch, which were left out
  double island_share = 0;  // of the volume with them
  double loose_share = 0;   // of the volume: parts that stay because of a load or tie, although supports alone do not hold them
  std::vector<std::pair<std::string, double>> kept_share;  // of regions of facets, curves and points: the share that is on the body
};

/// Fits a mesh to the contour of the filtered density. Its nodal values are those of `nodal_from_cell_means`. Between the nodes it is linear on simplices; the contour is the sides of the mesh
/// (`split_at_contour`), whose distance from that of a smooth density is of second order. Cells with a fixed density stay whole. Parts of the body are
/// connected by sides; those left out are counted. Throws std::domain_error if nothing is left.
FittedBody fit_body(const Mesh& serial, const DensityOnCells& density, const std::vector<BodySupport>& supports);

/// Nodal values of a field from its means over cells: the plane through the cells around a node that fits best, then a few corrections by what is missing
/// in the means over the vertices of each cell. Of second order, at the boundary too; members of the width of a cell or two, which means of cells
/// would thin, stay. [node], 0 at nodes that are no vertices. volumes: [cell].
std::vector<double> nodal_from_cell_means(const Mesh& serial, const std::vector<double>& cells, const std::vector<double>& volumes);

}  // namespace invar
