#pragma once
#include <complex>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace invar {

/// Outline of an airfoil section of chord 1, from the trailing edge along the lower side to the nose and back along the upper side: a cubic
/// spline through points, parametrised by the length of their polygon. Points are complex numbers x + iy; the trailing edge is the single
/// point (1, 0).
class AirfoilProfile {
 public:
  /// Points in that order, in any unit. They are rotated and scaled such that the nose is at the origin and the trailing edge at (1, 0).
  /// The nose is a point at the origin, if there is one, else the point with the smallest x. A blunt trailing edge is closed: each side is
  /// moved by half the gap times its position along the chord. Throws std::invalid_argument for fewer than 9 points, the opposite order and
  /// repeated points.
  explicit AirfoilProfile(std::vector<std::complex<double>> points);
  /// A NACA section with four digits (E. N. Jacobs, K. E. Ward, R. M. Pinkerton, NACA report 460, 1933). The trailing edge is sharp: the
  /// thickness formula is used up to its zero at 1.00893 and scaled to chord 1, as in NASA's Turbulence Modeling Resource. Throws
  /// std::invalid_argument for other text.
  static AirfoilProfile naca(const std::string& digits);
  /// Reads a coordinate file in a format of the UIUC collection: a title, then "x y" per line, from the trailing edge over the upper side
  /// and back over the lower one (Selig), or both sides from the nose after a line with their numbers of points (Lednicer). Throws
  /// MeshError.
  static AirfoilProfile read(const std::string& path);
  /// The same from the content of such a file; `path` is used in messages.
  static AirfoilProfile parse(std::istream& file, const std::string& path);

  double length() const { return length_; }  // of the whole outline
  double nose() const { return nose_; }      // arc length at the nose
  std::complex<double> point(double s) const { return derivative(s, 0); }
  /// Derivative of order 0, 1 or 2 with respect to s.
  std::complex<double> derivative(double s, int order) const;
  /// Radius of curvature at the nose, at least 1e-4.
  double nose_radius() const;

 private:
  struct Spline;
  std::shared_ptr<const Spline> spline_;
  double length_ = 0, nose_ = 0;
};

}  // namespace invar
