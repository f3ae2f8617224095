#pragma once
#include <string_view>
#include <vector>

namespace invar {

/// A part of a process, and how an average over it weighs its times.
struct TimeWindow {
  std::vector<int> steps;       // positions in the times of the process
  std::vector<double> weights;  // of each step; they add up to 1
};

/// How the weights vary over the window, s from 0 to 1: alike; Hann's ½ (1 − cos 2πs), its square, and the bump
/// exp(−1/(s (1 − s))), which is smooth to all orders. Of a signal that is periodic but for its length, averages
/// converge the faster the smoother the window is.
enum class WindowShape { square, hann, hann_squared, bump };
/// "hann" → WindowShape::hann; throws std::invalid_argument for other words.
WindowShape window_shape(std::string_view word);

/// The times between begin and end, up to round-off, with trapezoidal weights times the window's shape; no weights
/// where the shape is zero at all of them. Nothing where there
/// are fewer than two. times: rising, of equilibrium paths also falling.
TimeWindow time_window(const std::vector<double>& times, double begin, double end, WindowShape shape);

}  // namespace invar
