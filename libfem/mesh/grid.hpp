#pragma once
#include <string>

#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The rectangle of make_rectangle with a coordinate of 0, 1, 2, … at the lines of a grid: still to be mapped to where
/// it is. Every cell may be divided in between (`refine`).
Mesh make_lattice(int columns, int rows, Shape shape);

/// A further region: the facets of the side `of` (as left or bottom) between two lines of the other axis. To be made
/// before the lattice is mapped. Throws std::invalid_argument where the name is taken.
void add_side_part(Mesh& mesh, const std::string& name, const std::string& of, int low, int high);

/// Maps the lines of a lattice to their places.
void place_lines(Mesh& lattice, const GridAxis& x, const GridAxis& y);

/// Throws std::invalid_argument where a cell is flat or turned inside out; `by` is what did it.
void require_upright_cells(const Mesh& mesh, const std::string& by);

}  // namespace invar
