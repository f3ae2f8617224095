#pragma once
#include <string>

#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The rectangle of make_rectangle with integer coordinates 0, 1, 2, … at the grid lines, before it is mapped to its
/// place. Cells may be divided in between (`refine`).
Mesh make_lattice(int columns, int rows, Shape shape);

/// Adds a region: the facets of the side `of` (such as left or bottom) between two lines of the other axis. Call before
/// the lattice is mapped. Throws std::invalid_argument if the name is taken.
void add_side_part(Mesh& mesh, const std::string& name, const std::string& of, int low, int high);

/// Maps the lines of a lattice to their positions.
void place_lines(Mesh& lattice, const GridAxis& x, const GridAxis& y);

/// Throws std::invalid_argument if a cell is degenerate or inverted; `by` names the cause.
void require_upright_cells(const Mesh& mesh, const std::string& by);

}  // namespace invar
