#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Values of the cells of a distributed mesh, in the order of the serial mesh that it was made from, through all blocks; the same on every
/// rank. values: [cell of this rank], of which those of owned cells are read. Collective.
std::vector<double> cells_in_serial_order(const Mesh& mesh, const std::vector<double>& values);
/// The same of nodes with `components` values each.
std::vector<double> nodes_in_serial_order(const Mesh& mesh, const std::vector<double>& values, int components);

}  // namespace invar
