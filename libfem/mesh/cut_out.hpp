#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Leaves out the cells of a serial mesh of first order that lie in the box low … high [m]. The facets behind which they were
/// become the region `name`. Regions lose what has gone; those of which nothing is left are gone, too. Throws
/// std::invalid_argument where the box holds no cell or all of them, where its sides cut cells, and where the name is taken.
void cut_out(Mesh& mesh, const std::string& name, const std::vector<double>& low, const std::vector<double>& high);

}  // namespace invar
