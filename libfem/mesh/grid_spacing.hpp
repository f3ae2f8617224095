#pragma once
#include <functional>
#include <vector>

namespace invar {

/// A stretching of [0, 1] into cells of which the first and the last have the lengths first and last, parts of 1; 0:
/// free. None given: equal cells. One: lengths in geometric progression. Both: the function of M. Vinokur, J. Comput.
/// Phys. 50 (1983), which meets them to second order in 1/cells. It takes the number of a line over `cells`; between
/// lines it goes on smoothly, so that a grid with twice as many cells has every second line in common. Throws
/// std::invalid_argument where lengths do not fit.
std::function<double(double)> stretching(int cells, double first, double last);

/// Where the lines of one axis of a grid lie, in parts from one end to the other.
class GridAxis {
 public:
  explicit GridAxis(double from) : end_(from) {}
  /// A part that goes on to `to`; lengths of its first and its last cell [m], 0: free. Throws as `stretching` does.
  void add(double to, int cells, double first = 0, double last = 0);

  int cells() const { return parts_.empty() ? 0 : parts_.back().begin + parts_.back().cells; }
  double end() const { return end_; }
  /// The place [m] of line k, 0 … cells(), or between two lines.
  double at(double k) const;

 private:
  struct Part {
    int begin, cells;  // lines
    double from, to;
    std::function<double(double)> stretch;
  };
  std::vector<Part> parts_;
  double end_;
};

}  // namespace invar
