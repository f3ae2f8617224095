#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace invar {

/// Geometry of a problem with a legend, drawn without solving. Points are in m; the third
/// coordinate of plane meshes is zero.
struct SetupPicture {
  using Point = std::array<double, 3>;
  struct Arrow {
    Point foot, along;  // only the direction of `along` counts
  };
  /// One row of the legend with its geometry. Indices refer to `nodes`.
  struct Entry {
    enum class Kind { cells, facets, arrows, points };
    Kind kind;
    std::string text;
    std::vector<std::vector<int>> polygons = {};   // cells of a plane mesh, sides of a body
    std::vector<std::vector<int>> lines = {};      // sides of a plane mesh
    std::vector<Arrow> arrows = {};
    std::vector<Point> points = {};
    bool numbered = false;                         // its points carry its number in the legend
  };
  bool planar = true;
  std::string title;
  std::vector<Point> nodes;
  std::vector<std::vector<int>> edges;             // of the cells that are seen
  std::vector<Entry> entries;
};

/// Writes a PNG, which appears as a whole or not at all. Never throws: returns the reason why there is no picture,
/// empty on success; see `render_picture`.
std::string render_setup(const SetupPicture& setup, const std::filesystem::path& png);

}  // namespace invar
