#pragma once
#include <filesystem>
#include <vector>

#include "libfem/io/vtk_writer.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {

template <class F>
VtkField on_nodes(const Mesh& mesh, const char* name, int components, F f) {
  VtkField field{name, components, VtkField::On::nodes, {}};
  for (int n = 0; n < mesh.node_total(); ++n) {
    const std::vector<double> v = f(&mesh.coordinates[std::size_t(n) * mesh.dim]);
    field.values.insert(field.values.end(), v.begin(), v.end());
  }
  return field;
}

inline std::filesystem::path written(const Workplace& place, const Mesh& mesh, const std::vector<VtkField>& fields) {
  return write_vtk(place.folder() / "mesh", mesh, fields, MPI_COMM_SELF);
}

}  // namespace invar::test
