#include "libfem/mesh/airfoil_profile.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <unsupported/Eigen/Splines>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/mesh_error.hpp"
#include "libfem/mesh/place_text.hpp"

namespace invar {
namespace {

using Complex = std::complex<double>;

/// Half thickness of a section of thickness 1 at x.
double half_thickness(double x) {
  constexpr double vanishes = 1.008930411365;
  const double z = vanishes * x;
  return 5 / vanishes * (0.2969 * std::sqrt(z) - 0.1260 * z - 0.3516 * z * z + 0.2843 * z * z * z - 0.1015 * z * z * z * z);
}

}  // namespace

struct AirfoilProfile::Spline {
  Eigen::Spline<double, 2, 3> curve;
};

AirfoilProfile::AirfoilProfile(std::vector<Complex> points) {
  if (points.size() < 9) throw std::invalid_argument("an airfoil needs at least 9 points");
  double area = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Complex a = points[k], b = points[(k + 1) % points.size()];
    area += 0.5 * std::imag(std::conj(a) * b);
  }
  if (!(area < 0)) throw std::invalid_argument("the points of an airfoil must go round it once, from the trailing edge and back");
  const Complex edge = 0.5 * (points.front() + points.back()), gap = points.back() - points.front();
  auto nose = std::ranges::min_element(points, {}, [](Complex p) { return std::abs(p); });
  if (std::abs(*nose) > 1e-9 * std::abs(edge)) nose = std::ranges::min_element(points, {}, [](Complex p) { return p.real(); });
  if (nose == points.begin() || nose + 1 == points.end()) throw std::invalid_argument("the trailing edge of an airfoil is behind its nose, at greater x");
  const Complex chord = edge - *nose;
  const auto place = [&, at = *nose](Complex p) { return (p - at) / chord; };
  for (auto p = points.begin(); p != points.end(); ++p) {
    const double along = std::clamp(place(*p).real(), 0.0, 1.0);
    if (p != nose) *p += (p < nose ? 0.5 : -0.5) * along * gap;
  }
  const Complex origin = *nose;
  Eigen::Matrix2Xd xy(2, points.size());
  Eigen::RowVectorXd s(points.size());
  s[0] = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Complex z = (points[k] - origin) / chord;
    xy.col(k) = Eigen::Vector2d(z.real(), z.imag());
    if (k) s[k] = s[k - 1] + (xy.col(k) - xy.col(k - 1)).norm();
    if (k && !(s[k] > s[k - 1])) throw std::invalid_argument("two neighbouring points of an airfoil are the same, near " + place_in_words({points[k].real(), points[k].imag(), 0}, 2) + "; remove one");
  }
  length_ = s[s.size() - 1];
  s /= length_;
  nose_ = length_ * s[nose - points.begin()];
  spline_ = std::make_shared<Spline>(Spline{Eigen::SplineFitting<Eigen::Spline<double, 2, 3>>::Interpolate(xy, 3, s)});
  for (const double along : s)
    for (int order = 0; order < 3; ++order)
      if (const Complex d = derivative(along * length_, order); !std::isfinite(d.real()) || !std::isfinite(d.imag()))
        throw std::invalid_argument("the points of an airfoil are too far from each other for a curve through all of them");
}

Complex AirfoilProfile::derivative(double s, int order) const {
  const auto d = spline_->curve.derivatives(std::clamp(s / length_, 0.0, 1.0), order);
  return Complex(d(0, order), d(1, order)) / std::pow(length_, order);
}

double AirfoilProfile::nose_radius() const {
  const Complex d = derivative(nose_, 1), dd = derivative(nose_, 2);
  const double curvature = std::abs(std::imag(std::conj(d) * dd)) / std::pow(std::abs(d), 3);
  return std::max(1e-4, std::min(1.0, 1 / curvature));
}

AirfoilProfile AirfoilProfile::naca(const std::string& digits) {
  if (digits.size() != 4 || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
    throw std::invalid_argument("'" + digits + "' are not the four digits of a NACA section, as in \"0012\" or \"2412\"");
  const double m = 0.01 * (digits[0] - '0'), p = 0.1 * (digits[1] - '0'), t = 0.01 * std::stoi(digits.substr(2));
  if (t < 0.01 || t > 0.4) throw std::invalid_argument("the last two digits of a NACA section are its thickness, 01 to 40 percent of the chord");
  if ((m > 0) != (p > 0)) throw std::invalid_argument("the first two digits of a NACA section are its camber and where it is greatest: both 0 or none");
  constexpr int n = 240;  // points of a side
  std::vector<Complex> points;
  for (int k = -n; k <= n; ++k) {  // lower side, nose, upper side
    const double x = 0.5 * (1 - std::cos(std::numbers::pi * std::abs(k) / n)), y = k == n || k == -n ? 0.0 : t * half_thickness(x);
    const bool fore = x < p;
    const double camber = m == 0 ? 0 : fore ? m / (p * p) * (2 * p * x - x * x) : m / ((1 - p) * (1 - p)) * (1 - 2 * p + 2 * p * x - x * x);
    const double slope = m == 0 ? 0 : 2 * m * (p - x) / (fore ? p * p : (1 - p) * (1 - p));
    const Complex normal = Complex(-slope, 1) / std::hypot(slope, 1.0);
    points.push_back(Complex(x, camber) + (k < 0 ? -y : y) * normal);
  }
  return AirfoilProfile(std::move(points));
}

AirfoilProfile AirfoilProfile::read(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) throw MeshError(path + ": is not a file; give one with the coordinates of an airfoil");
  std::ifstream file(path);
  return parse(file, path);
}

AirfoilProfile AirfoilProfile::parse(std::istream& file, const std::string& path) {
  constexpr std::size_t most = 20000;
  std::vector<std::array<double, 2>> rows;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream words(line);
    double x = 0, y = 0;
    std::string more;
    const bool two = static_cast<bool>(words >> x >> y) && !(words >> more) && std::isfinite(x) && std::isfinite(y);
    if (!two && rows.empty() && number == 1) continue;  // the title
    if (!two) throw MeshError(path + ":" + std::to_string(number) + ": a line has two numbers, x and y");
    rows.push_back({x, y});
    if (rows.size() > most) throw MeshError(path + ":" + std::to_string(number) + ": more points than an airfoil has; give at most " + std::to_string(most));
  }
  std::vector<Complex> points;
  for (const auto& [x, y] : rows) points.emplace_back(x, y);
  if (rows.size() > 2 && rows[0][0] > 1.5 && rows[0][1] > 1.5) {  // numbers of points
    const double upper = rows[0][0], lower = rows[0][1];
    if (upper + lower != double(rows.size() - 1) || upper < 2 || lower < 2 || upper != std::floor(upper))
      throw MeshError(path + ": announces " + number_text(upper) + " and " + number_text(lower) + " points, and has " + std::to_string(rows.size() - 1));
    points.erase(points.begin());
    std::reverse(points.begin(), points.begin() + int(upper));
    const auto second = points.begin() + int(upper);
    if (std::abs(*second - *(second - 1)) < 1e-12) points.erase(second);
  }
  double area = 0;
  for (std::size_t k = 0; k < points.size(); ++k) area += std::imag(std::conj(points[k]) * points[(k + 1) % points.size()]);
  if (area > 0) std::ranges::reverse(points);
  try {
    return AirfoilProfile(std::move(points));
  } catch (const std::invalid_argument& e) {
    throw MeshError(path + ": " + e.what());
  }
}

}  // namespace invar
