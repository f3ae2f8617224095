#pragma once
#include <memory>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

/// The kinds of `design` entries that move a boundary, for the spec's table.
std::vector<spec::Table> shape_tables();
/// The section `mesh_motion`.
spec::Table mesh_motion_table();
/// Whether entries of that kind move a boundary.
bool is_shape(const std::string& kind);
/// Whether the spec designs a shape: coordinates are then a control of every case.
bool designs_shape(const spec::Value& spec);
/// The block of the entry of `design` that designs a shape; nullptr after recording what is wrong. The
/// cases are there and have their coordinates as a control. Collective.
std::shared_ptr<Parameterization> build_shape(const spec::Value& entry, Problem& problem,
                                              Diagnostics& diagnostics);

}  // namespace invar
