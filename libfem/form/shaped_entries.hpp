#pragma once
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Entries of a field of the datum v, or derivatives by them, times its f(x, t): at nodes, or in cells, where f does not vary in space.
inline void multiply_by_shape(const ControlledValue& v, const Mesh& mesh, double t, std::vector<double>& entries) {
  if (!v.shape || entries.empty()) return;
  const double everywhere = v.varies_in_space ? 0 : v.shape(mesh.coordinates.data(), t);
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i] *= v.varies_in_space ? v.shape(&mesh.coordinates[i * static_cast<std::size_t>(mesh.dim)], t) : everywhere;
}

}  // namespace invar
