#pragma once
#include <array>
#include <filesystem>
#include <string>

namespace invar {

struct PictureOptions {
  // point or cell data; of vectors and tensors the magnitude is shown; empty: the first of the points
  std::string field = {};
  bool streamlines = false;   // of the vector point data `field`: dark lines, in a body coloured tubes
  std::string arrows = {};    // vector point data shown as arrows on the boundary; empty: none
  std::string warp = {};      // vector point data added to the coordinates, m; empty: none
  std::array<int, 2> size{1200, 800};  // greatest width and height, pixels; what stays empty is cut off
  std::string title = {};
};

/// Renders a field of a .vtu or .pvtu file to a PNG, which appears as a whole or not at all. Needs no
/// display. Never throws: returns the reason why there is no picture, empty on success. The work is done in a forked child process,
/// so that a crash by a driver or a damaged file does not end the program.
std::string render_picture(const std::filesystem::path& fields, const std::filesystem::path& png,
                           const PictureOptions& options);

}  // namespace invar
