#include "libfem/mesh/airfoil_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <stdexcept>

#include "libfem/mesh/grid.hpp"
#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/merge_nodes.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/unite_regions.hpp"

namespace invar {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr Complex imaginary(0, 1);

/// A line from the wall outwards in the parameter plane.
struct Ray {
  Complex wall, direction;  // |direction| = 1
  double length;            // to the far boundary
  double first;             // chords: height of the cell at the wall
};

/// A conformal map of the plane around a profile to the parameter plane of a C or O mesh. Lengths are in chords.
class Unrolling {
 public:
  virtual ~Unrolling() = default;
  /// Maps from the parameter plane to the plane of the airfoil.
  virtual Complex place(Complex w) const = 0;
  /// The ray at line k around the profile.
  virtual Ray ray(double k) const = 0;
};

/// Positions on the profile, by line from the trailing edge along the lower side.
GridAxis outline(const AirfoilProfile& profile, const AirfoilMeshOptions& o) {
  GridAxis axis(0);
  axis.add(profile.nose(), o.around / 2, o.trailing, o.leading);
  axis.add(profile.length(), o.around / 2, o.leading, o.trailing);
  return axis;
}

/// The direction from the trailing edge between its two sides.
Complex bisector(const AirfoilProfile& profile) {
  const Complex lower = -profile.derivative(0, 1), upper = profile.derivative(profile.length(), 1);
  const Complex sum = lower / std::abs(lower) + upper / std::abs(upper);
  return sum / std::abs(sum);
}

class Parabolic final : public Unrolling {
 public:
  Parabolic(const AirfoilProfile& profile, const AirfoilMeshOptions& o)
      : profile_(profile), axis_(outline(profile, o)), wake_(1), first_(o.first / o.chord), around_(o.around), n_wake_(o.wake),
        height_(std::sqrt(o.radius)), slope_(std::tan(std::arg(bisector(profile)))) {
    Complex in = imaginary * profile.derivative(profile.nose(), 1);  // to the left of the direction of traversal: outwards
    in /= -std::abs(in);
    focus_ = profile.point(profile.nose()) + 0.5 * profile.nose_radius() * in;
    nose_direction_ = profile.point(profile.nose()) - focus_;
    wake_.add(o.radius, o.wake, o.trailing);
  }

  Complex place(Complex w) const override { return focus_ + w * w; }

  Ray ray(double k) const override {
    Complex wall;
    double first = first_;
    if (k < n_wake_ || k > n_wake_ + around_) {
      const double behind = k < n_wake_ ? n_wake_ - k : k - n_wake_ - around_;
      const double x = wake_.at(behind), s = x - 1;
      wall = std::sqrt(Complex(x, slope_ * (1 - std::exp(-s))) - focus_);
      if (k < n_wake_) wall = -wall;
      first = first_ * (1 + s * s);
    } else {
      wall = on_profile(k - n_wake_);
    }
    return {wall, imaginary, height_ - wall.imag(), first};
  }

 private:
  /// The branch of the root that is continuous around the profile: the angle at the focus is measured from the nose.
  Complex on_profile(double k) const {
    const Complex z = profile_.point(axis_.at(k)) - focus_;
    double turn = std::arg(z / nose_direction_);
    if (k < 0.5 * around_ && turn < -0.5 * pi) turn += 2 * pi;
    if (k > 0.5 * around_ && turn > 0.5 * pi) turn -= 2 * pi;
    double nose = std::arg(nose_direction_);
    if (nose < 0) nose += 2 * pi;
    return std::polar(std::sqrt(std::abs(z)), 0.5 * (nose + turn));
  }

  const AirfoilProfile& profile_;
  GridAxis axis_, wake_;
  double first_;
  int around_, n_wake_;
  double height_, slope_;
  Complex focus_, nose_direction_;
};

/// ((w − κ a)/(w + κ a))^κ = (z − z₁)/(z − z₀), z₁ the trailing edge, z₀ the focus of the nose, κ = 2 − τ/π.
class KarmanTrefftz final : public Unrolling {
 public:
  KarmanTrefftz(const AirfoilProfile& profile, const AirfoilMeshOptions& o)
      : profile_(profile), axis_(outline(profile, o)), first_(o.first / o.chord), around_(o.around), radius_(o.radius) {
    const Complex lower = profile.derivative(0, 1), upper = -profile.derivative(profile.length(), 1);
    const double opening = std::abs(std::arg(lower / upper));
    power_ = 2 - opening / pi;
    Complex in = imaginary * profile.derivative(profile.nose(), 1);
    in /= -std::abs(in);
    focus_ = profile.point(profile.nose()) + 0.5 * profile.nose_radius() * in;
    pole_ = (1.0 - focus_) / (2 * power_);  // κ a, w ≈ z far away
    constexpr int samples = 400;
    for (int i = 0; i < samples; ++i) centre_ += image((i + 0.5) / samples * profile.length()) / double(samples);
  }

  Complex place(Complex w) const override {
    const Complex q = std::pow((w - pole_) / (w + pole_), power_);
    return (1.0 - q * focus_) / (1.0 - q);
  }

  Ray ray(double k) const override {
    const Complex wall = image(axis_.at(k)), out = wall - centre_;
    return {wall, out / std::abs(out), radius_ - std::abs(out), first_};
  }

 private:
  Complex image(double s) const {
    const Complex z = profile_.point(s), q = (z - 1.0) / (z - focus_);
    // The angle of q jumps by 2π on the line between both points, inside the profile, and is continuous round it.
    const double turn = std::arg(q);
    const Complex r = std::polar(std::pow(std::abs(q), 1 / power_), turn / power_);
    return pole_ * (1.0 + r) / (1.0 - r);
  }

  const AirfoilProfile& profile_;
  GridAxis axis_;
  double first_;
  int around_;
  double radius_, power_ = 2;
  Complex focus_, pole_, centre_ = 0;
};

/// Length along a ray at which its image is `height` away from the wall.
double first_step(const Unrolling& unrolling, const Ray& ray) {
  const Complex wall = unrolling.place(ray.wall);
  double low = 0, high = ray.length;
  for (int k = 0; k < 200 && high - low > 1e-14 * high; ++k) {
    const double middle = low == 0 ? 0.1 * high : std::sqrt(low * high);
    (std::abs(unrolling.place(ray.wall + middle * ray.direction) - wall) < ray.first ? low : high) = middle;
  }
  return high;
}

/// Maps a lattice of lines around the profile and outwards. Lines are numbered in quarters of the finest cells, so that each is
/// computed once.
void place_nodes(Mesh& lattice, const Unrolling& unrolling, const AirfoilMeshOptions& o) {
  std::map<double, std::pair<Ray, std::function<double(double)>>> lines;
  for (std::size_t n = 0; n < lattice.coordinates.size(); n += 2) {
    double &x = lattice.coordinates[n], &y = lattice.coordinates[n + 1];
    auto line = lines.find(x);
    if (line == lines.end()) {
      const Ray ray = unrolling.ray(x);
      line = lines.emplace(x, std::pair(ray, stretching(o.normal, first_step(unrolling, ray) / ray.length, 0))).first;
    }
    const auto& [ray, stretch] = line->second;
    const Complex z = o.chord * unrolling.place(ray.wall + ray.length * stretch(y / o.normal) * ray.direction);
    x = z.real(), y = z.imag();
  }
}

void require_sensible(const AirfoilMeshOptions& o) {
  if (o.around < 8 || o.around % 2) throw std::invalid_argument("a mesh has an even number of cells around an airfoil, at least 8");
  if (o.normal < 4 || (o.topology == AirfoilMeshOptions::Topology::c && o.wake < 4))
    throw std::invalid_argument("a mesh around an airfoil has at least 4 cells from the wall outwards and along the wake");
  if (!(o.radius >= 2)) throw std::invalid_argument("the far boundary of a mesh around an airfoil is at least 2 chords away");
  if (!(o.first > 0) || o.first > 0.05 * o.chord) throw std::invalid_argument("the cells at the wall of an airfoil are higher than 0, and at most a twentieth of the chord");
}

/// Adds a point as a region.
void add_point(Mesh& mesh, const std::string& name, Complex at) {
  int nearest = 0;
  const auto distance = [&](int n) { return std::abs(Complex(mesh.coordinates[2 * n], mesh.coordinates[2 * n + 1]) - at); };
  for (int n = 1; n < mesh.node_total(); ++n)
    if (distance(n) < distance(nearest)) nearest = n;
  mesh.regions.push_back({name, 0, {}, {nearest}});
}

}  // namespace

Mesh make_airfoil_mesh(const AirfoilProfile& profile, const AirfoilMeshOptions& o) {
  require_sensible(o);
  const bool is_c = o.topology == AirfoilMeshOptions::Topology::c;
  const int wake = is_c ? o.wake : 0, columns = o.around + 2 * wake;
  Mesh mesh = make_lattice(columns, o.normal, o.shape);
  add_side_part(mesh, "airfoil", "bottom", wake, wake + o.around);
  if (is_c) {
    add_side_part(mesh, "inlet", "top", 0, columns);
    unite_regions(mesh, "outlet", {"left", "right"});
  } else {  // the traversal begins behind the trailing edge
    add_side_part(mesh, "inlet", "top", o.around / 4, o.around - o.around / 4);
    add_side_part(mesh, "outlet below", "top", 0, o.around / 4);
    add_side_part(mesh, "outlet above", "top", o.around - o.around / 4, o.around);
    unite_regions(mesh, "outlet", {"outlet below", "outlet above"});
  }
  unite_regions(mesh, "far", {"inlet", "outlet"});
  for (int level = 0; level < o.refine; ++level) mesh = refine(mesh);
  // The two sides of the cut, by their position along it.
  std::map<double, int> bank;
  std::vector<int> stays(mesh.node_total());
  const auto across = [&](double x, double y) { return is_c ? (y == 0 && (x <= wake || x >= wake + o.around) ? std::min(x, columns - x) : -1.0)
                                                            : (x == 0 || x == columns ? y : -1.0); };
  for (int n = 0; n < mesh.node_total(); ++n) {
    const double place = across(mesh.coordinates[2 * n], mesh.coordinates[2 * n + 1]);
    stays[n] = place < 0 ? n : bank.try_emplace(place, n).first->second;
  }
  const std::unique_ptr<Unrolling> unrolling = is_c ? std::unique_ptr<Unrolling>(std::make_unique<Parabolic>(profile, o))
                                                    : std::make_unique<KarmanTrefftz>(profile, o);
  place_nodes(mesh, *unrolling, o);
  merge_nodes(mesh, stays);
  std::erase_if(mesh.regions, [](const Region& r) { return r.dim == 0; });
  keep_facet_regions(mesh, {"airfoil", "inlet", "outlet", "far"});
  mesh.regions.front().name = "fluid";
  complete_serial(mesh);
  add_point(mesh, "leading_edge", 0);
  add_point(mesh, "trailing_edge", o.chord);
  require_upright_cells(mesh, "the mesh around this airfoil");
  return mesh;
}

}  // namespace invar
