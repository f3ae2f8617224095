#pragma once
#include <memory>
#include <span>

#include "libfem/design/boundary/boundary_map.hpp"
#include "libfem/design/boundary/boundary_source.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A way to design a boundary: by a few numbers (`make_map`) or by a field of its nodes (`make_source`). An entry of
/// the library is all that the program needs to know of it.
struct ShapeEntry {
  std::string_view name, doc;               // the word of `kind`; one line for the reference
  std::string_view unit{};                  // of a field that is designed
  std::vector<EntryParameter> parameters{}; // its own; `shape_parameters` has all
  bool may_move_as_one = true;              // of a map: a rigid motion may follow it
  /// points: [n × dim], the region's nodes. Null: an entry by a field. Throws std::invalid_argument where
  /// the values make no sense.
  std::unique_ptr<BoundaryMap> (*make_map)(const Mesh&, const std::string& region, const std::vector<double>& points,
                                           const EntryValues&) = nullptr;
  /// Collective. Likewise.
  std::shared_ptr<BoundarySource> (*make_source)(std::shared_ptr<const Mesh>, MPI_Comm, const std::string& region,
                                                 const EntryValues&) = nullptr;

  bool by_numbers() const { return make_map != nullptr; }
};

/// All, in the order of the manual.
std::span<const ShapeEntry> shape_library();

/// What an entry is given besides its region: what all have in common, then its own.
std::vector<EntryParameter> shape_parameters(const ShapeEntry& entry);

/// The boundary's motion; `region` is a facet region of the mesh. Collective. Throws std::invalid_argument where the
/// values make no sense.
std::shared_ptr<BoundarySource> make_boundary_source(const ShapeEntry& entry, std::shared_ptr<const Mesh> mesh,
                                                     MPI_Comm comm, const std::string& region, const EntryValues& values);

}  // namespace invar
