#pragma once
#include <string>
#include <vector>

#include "apps/invar/chart/chart.hpp"

namespace invar {

/// A chart of one value along a wall, for walls/NAME_what.svg.
struct WallChart {
  std::string what;  // column: cp, cf, pressure or shear
  Chart chart;
};

/// Pressure and shear along a wall in the plane, or with a free stream cp, upwards where it is negative, and cf; over the coordinate along which
/// the wall is longer, one line for each piece of the wall. columns, data: of walls/NAME.csv, points in their order along the wall. Empty for
/// walls in space, whose points have no such order.
std::vector<WallChart> wall_charts(const std::string& name, const std::vector<std::string>& columns, const std::vector<std::vector<double>>& data);

}  // namespace invar
