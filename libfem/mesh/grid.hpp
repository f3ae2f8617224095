#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The rectangle of make_rectangle with nodes at given places [m], ascending. Throws std::invalid_argument where there are less
/// than two along an axis.
Mesh make_grid(const std::vector<double>& x, const std::vector<double>& y, Shape shape);

/// A further region: the facets of the side `of` (as left or bottom) between the places low and high of the axis along it. To be
/// made before the mesh is deformed. Throws std::invalid_argument where the name is taken.
void add_side_part(Mesh& mesh, const std::string& name, const std::string& of, double low, double high);

}  // namespace invar
