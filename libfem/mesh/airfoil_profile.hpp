#pragma once
#include <complex>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace invar {

/// The outline of an airfoil section of chord 1, from the trailing edge along the lower side to the nose and along the upper side
/// back: a cubic spline through points, by the length of their polygon. Points are complex numbers x + iy; the trailing edge
/// is one point, (1, 0).
class AirfoilProfile {
 public:
  /// Points in that order, in any unit. They are turned and scaled so that the nose lies in the origin, and the trailing edge in (1, 0). The
  /// nose is a point in the origin, where there is one, else the one with the least x. A blunt trailing edge is closed: each side gives way by half of the gap times the place along the
  /// chord. Throws std::invalid_argument for fewer than 9 points, points in the opposite order and repeated ones.
  explicit AirfoilProfile(std::vector<std::complex<double>> points);
  /// A NACA section of four digits (E. N. Jacobs, K. E. Ward, R. M. Pinkerton, NACA report 460, 1933). Its thickness is that of the
  /// formula up to where it vanishes, at 1.00893, scaled to chord 1, so that the trailing edge is sharp (the Turbulence Modeling
  /// Resource of NASA does so). Throws std::invalid_argument for other text.
  static AirfoilProfile naca(const std::string& digits);
  /// Of a file of coordinates as the UIUC collection has them: a title, then "x y" a line, from the trailing edge over the upper side and
  /// back over the lower one (Selig), or both sides from the nose on after a line with their numbers of points (Lednicer). Throws MeshError.
  static AirfoilProfile read(const std::string& path);
  /// What such a file holds; `path` is shown in messages.
  static AirfoilProfile parse(std::istream& file, const std::string& path);

  double length() const { return length_; }  // of the whole outline
  double nose() const { return nose_; }      // length at which the nose lies
  std::complex<double> point(double s) const { return derivative(s, 0); }
  /// The derivative by s of order 0, 1 or 2.
  std::complex<double> derivative(double s, int order) const;
  /// Of curvature at the nose, at least 1e-4.
  double nose_radius() const;

 private:
  struct Spline;
  std::shared_ptr<const Spline> spline_;
  double length_ = 0, nose_ = 0;
};

}  // namespace invar
