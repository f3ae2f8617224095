#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Sets starts that the blocks of the design do not set themselves: formulas of fields, densities and free boundaries, lists of
/// numbers, and the result of an earlier run (`optimizer.start`). Collective.
void build_start(Problem& problem, Diagnostics& diagnostics);

/// The file with the design of an optimisation, from which other runs can start.
inline constexpr const char* design_file = "design.json";
/// Its content: numbers.NAME (physical), fields.NAME: of, components, positions (in the mesh's file; cells of the k-th
/// kind from k·2⁴⁰ on), values (physical, of the designed entries themselves, before any filter). On rank 0.
/// Collective.
nlohmann::ordered_json design_json(const Problem& problem, const DesignVector& theta);

}  // namespace invar
