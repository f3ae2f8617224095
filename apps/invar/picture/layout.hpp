#pragma once
#include <array>
#include <string>
#include <vector>

namespace invar {

/// Part of a picture, pixels from its lower left corner.
struct PixelBox {
  double left = 0, bottom = 0, width = 0, height = 0;
};

/// Positions of the parts of a picture, pixels.
struct PictureLayout {
  int text = 17, heading = 20, small = 13;  // heights of the fonts
  int width = 0, height = 0;
  PixelBox domain;                // exactly around what is drawn
  PixelBox bar;                   // of colours
  bool bar_below = false;         // else at the right
  double pixels_per_metre = 0;

  /// Fits a domain of `extent` (width and height on the screen, m) as large as it goes into a picture
  /// of at most `size`; the bar is placed where it needs less space, and empty space is cut off.
  static PictureLayout fit(std::array<double, 2> extent, std::array<int, 2> size, const std::string& title,
                           const std::string& bar_name, bool footnote);
};

/// The marks on the bar of colours: both ends of the range, and round numbers between them that stand far
/// enough from the ends. In a range that is narrow for its values the labels count from `origin`.
struct BarScale {
  struct Tick {
    double value;
    std::string label;
  };
  std::vector<Tick> ticks;
  double origin = 0;

  static BarScale of(double low, double high);
};

/// A number rounded to `digits` digits: 36800, 0.0123, 1.5e-6 (a power has no leading zeros).
std::string label_number(double value, int digits = 3);

}  // namespace invar
