#pragma once
#include <string>
#include <vector>

namespace invar {

/// A chart of curves, points and bands as SVG, for a page in light or dark: colours are those of the CSS classes
/// `series-0` to `series-5`, and each series also has its own dash pattern or marker, so that two are never distinguished by colour alone.
struct Chart {
  struct Series {
    std::string name;
    std::vector<double> x, y;  // gaps where y is not a number
    bool points = false;       // markers in place of a line
  };
  /// Between two curves.
  struct Band {
    std::string name;
    std::vector<double> x, lower, upper;
    int shade = 0;  // 1: lighter
  };

  std::string title;        // what it shows, for readers of screens
  std::string description;  // the same in a sentence with numbers
  std::string x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Series> series;
  std::vector<Band> bands;
  bool zero_line = false;   // of residuals
  double width = 640, height = 300;

  /// The element <svg>. `id` must be unique on the page.
  std::string svg(const std::string& id) const;
  /// A separate file on white background, with explicit colours, because image editors do not support CSS variables.
  std::string document() const;
};

/// Text with &, <, >, " and ' written as entities, for elements and attributes of HTML and SVG.
std::string escaped(const std::string& text);

}  // namespace invar
