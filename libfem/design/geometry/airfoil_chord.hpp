#pragma once
#include <array>
#include <cmath>
#include <stdexcept>

namespace invar {

/// The chord of an airfoil section in the x–y plane (in 3-D the span is along z). Its normal is the direction from
/// leading to trailing edge rotated by +90°: upwards if the chord is along +x.
class AirfoilChord {
 public:
  /// Positions of the edges, m. Throws std::invalid_argument if they coincide.
  AirfoilChord(const std::array<double, 2>& leading_edge, const std::array<double, 2>& trailing_edge)
      : leading_(leading_edge),
        chord_{trailing_edge[0] - leading_edge[0], trailing_edge[1] - leading_edge[1]},
        length_(std::hypot(chord_[0], chord_[1])) {
    if (!(length_ > 0)) throw std::invalid_argument("the leading and the trailing edge of an airfoil must differ");
  }

  double length() const { return length_; }
  std::array<double, 2> normal() const { return {-chord_[1] / length_, chord_[0] / length_}; }

  struct Place {
    double psi;       // along the chord: 0 leading, 1 trailing edge
    double distance;  // m, from the chord along its normal
    /// Points on the chord belong to the upper side.
    bool upper() const { return distance >= 0; }
    /// Whether the point is strictly between the edges; maps of a side leave other points unchanged.
    bool between_edges() const { return psi > 1e-12 && psi < 1 - 1e-12; }
  };
  Place place(const double* point) const {
    const double x = point[0] - leading_[0], y = point[1] - leading_[1];
    return {(x * chord_[0] + y * chord_[1]) / (length_ * length_), (y * chord_[0] - x * chord_[1]) / length_};
  }

 private:
  std::array<double, 2> leading_, chord_;
  double length_;
};

}  // namespace invar
