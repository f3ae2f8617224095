#pragma once
#include <string_view>
#include <vector>

namespace invar {

/// A time window of a process, with the weights of an average over it.
struct TimeWindow {
  std::vector<int> steps;       // positions in the times of the process
  std::vector<double> weights;  // of each step; their sum is 1
};

/// Shape of the weights over the window, s from 0 to 1: constant; Hann's ½ (1 − cos 2πs); its square; the bump
/// exp(−1/(s (1 − s))), which is infinitely smooth. For periodic signals whose period does not divide the window,
/// averages converge the faster the smoother the window.
enum class WindowShape { square, hann, hann_squared, bump };
/// "hann" → WindowShape::hann; throws std::invalid_argument for other names.
WindowShape window_shape(std::string_view word);

/// The times between begin and end, up to round-off, with trapezoidal weights times the window's shape. Empty if there
/// are fewer than two times; no weights if the shape is zero at all of them. times: ascending; for equilibrium paths
/// also descending.
TimeWindow time_window(const std::vector<double>& times, double begin, double end, WindowShape shape);

}  // namespace invar
