#pragma once
#include <functional>
#include <vector>

namespace invar {

/// A stretching function of [0, 1] for cells whose first and last lengths are `first` and `last`, as fractions of 1; 0:
/// free. None given: equal cells. One given: geometric progression. Both given: M. Vinokur's function, J. Comput. Phys.
/// 50 (1983), which meets them to second order in 1/cells. Its argument is the line number over `cells`; it is smooth
/// between lines, so that a grid with twice as many cells shares every second line. Throws std::invalid_argument if the
/// lengths are inconsistent.
std::function<double(double)> stretching(int cells, double first, double last);

/// Positions of the grid lines along one axis, composed of parts.
class GridAxis {
 public:
  explicit GridAxis(double from) : end_(from) {}
  /// Adds a part that ends at `to`; lengths of its first and last cell [m], 0: free. Throws like `stretching`.
  void add(double to, int cells, double first = 0, double last = 0);

  int cells() const { return parts_.empty() ? 0 : parts_.back().begin + parts_.back().cells; }
  double end() const { return end_; }
  /// Position [m] of line k, 0 … cells(), also between two lines.
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
