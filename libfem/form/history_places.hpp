#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Where one form keeps history variables on this rank: at integration points of cells, or of their facets where the equation's tractions
/// are evaluated.
struct HistoryPlaces {
  struct Point {
    int cell = 0;                // among all cells of the rank
    bool owned = false;          // whether the rank owns the cell
    std::array<double, 3> x{};   // m, in the undesigned mesh
    std::size_t first = 0;       // number k of the point is entry first + k · stride of `FormResidual::create_memory`
  };
  static constexpr std::size_t stride = simd_width;

  std::string form;              // its name for reports
  int per_point = 0;             // the same on every rank
  std::vector<Point> points;     // also of lanes that repeat a cell
};

/// Those of all forms of an equation that have history variables, those of its tractions after its own. The equation does not change.
/// Collective.
std::vector<HistoryPlaces> history_places(FormResidual& equation);

}  // namespace invar
