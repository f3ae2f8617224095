#pragma once
#include <string>
#include <vector>

namespace invar {

/// An axis of a chart: range and ticks.
struct Axis {
  bool log = false;
  double low = 0, high = 1;  // ends of the axis; positive where it is logarithmic
  std::vector<double> ticks;

  /// An axis with about `wanted` ticks at round values. A linear one ends at ticks; a logarithmic one, at powers of
  /// ten, or at the values themselves where these are less than a decade apart. Values that are not finite, and those
  /// that are not positive on a logarithmic axis, do not count.
  static Axis of(const std::vector<double>& values, bool log, int wanted = 5);

  /// 0 at `low`, 1 at `high`.
  double place(double value) const;
  bool shows(double value) const;
};

/// A tick's number without superfluous digits: "0.25", "1200", "2.5e-6".
std::string tick_text(double value);

}  // namespace invar
