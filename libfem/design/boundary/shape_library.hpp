#pragma once
#include <memory>
#include <span>

#include "libfem/design/boundary/boundary_map.hpp"
#include "libfem/design/boundary/boundary_source.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A parameterization of a boundary, by a few numbers (`make_map`) or by a nodal field (`make_source`), as a complete
/// library entry.
struct ShapeEntry {
  std::string_view name, doc;               // the word of `kind`; one line for the reference
  std::string_view unit{};                  // of a design field
  std::vector<EntryParameter> parameters{}; // its own; `shape_parameters` has all
  bool may_move_as_one = true;              // for maps: may be followed by a rigid motion
  /// points: [n × dim], the region's nodes. Null: the entry uses a field. Throws std::invalid_argument for invalid
  /// values.
  std::unique_ptr<BoundaryMap> (*make_map)(const Mesh&, const std::string& region, const std::vector<double>& points,
                                           const EntryValues&) = nullptr;
  /// Collective. Throws std::invalid_argument for invalid values.
  std::shared_ptr<BoundarySource> (*make_source)(std::shared_ptr<const Mesh>, MPI_Comm, const std::string& region,
                                                 const EntryValues&) = nullptr;

  bool by_numbers() const { return make_map != nullptr; }
};

/// All entries, in the order of the manual.
std::span<const ShapeEntry> shape_library();

/// Parameters of an entry besides its region: the common ones, then its own.
std::vector<EntryParameter> shape_parameters(const ShapeEntry& entry);

/// Creates the boundary's motion; `region` is a facet region of the mesh. Collective. Throws std::invalid_argument for
/// invalid values.
std::shared_ptr<BoundarySource> make_boundary_source(const ShapeEntry& entry, std::shared_ptr<const Mesh> mesh,
                                                     MPI_Comm comm, const std::string& region, const EntryValues& values);

}  // namespace invar
