#pragma once
#include <filesystem>
#include <span>
#include <vector>

#include "libfem/io/vtk_field.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Writes the undeformed mesh with fields as VTK XML (appended raw data, LZ4) and returns the file
/// to open: `stem`.vtu, or on several ranks `stem`.pvtu with the pieces `stem`_<rank>.vtu. `stem`
/// is a path without extension. Collective on `comm`, the ranks that share the mesh; each writes
/// the cells that it owns, and the facets that bound no cell, where fields on cells are NaN.
/// Second-order cells stay curved. Cell data `region`: the position in mesh.regions of the first
/// region that holds the cell, −1 without one; the field data `region_names` holds the names of all regions.
/// Each file replaces an older one as a whole. Throws VtkError, on all ranks, where a file cannot
/// be written or a field has not the length that it should have.
std::filesystem::path write_vtk(const std::filesystem::path& stem, const Mesh& mesh,
                                std::span<const VtkField> fields, MPI_Comm comm);

/// Fills in nodal values [n_nodes] of second-order cells from the vertices by the first-order shape functions.
std::vector<double> interpolate_vertices_to_nodes(const Mesh& mesh, std::vector<double> values);

}  // namespace invar
