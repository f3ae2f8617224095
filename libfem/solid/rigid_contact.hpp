#pragma once
#include <limits>
#include <numbers>

#include "libfem/contact/barrier.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/math/dual_functions.hpp"

namespace invar {

/// What a body may touch: half-space, ball, infinite round bar (in the plane a disc), box.
enum class ObstacleShape { plane, sphere, cylinder, box };

/// A smooth penalty: p(d) = k · (−d) where d ≤ −ε, k (ε − d)²/(4 ε) where |d| < ε, 0 beyond; continuously
/// differentiable. k [Pa/m], ε [m].
struct PenaltyPressure {
  template <class R>
  INVAR_HD static R at(const R& d, const R& k, const R& width) {
    const R below = k * (width - d) * (width - d) / (4.0 * width), deep = -(k * d);
    const R inside = select(d < -width, deep, below);
    return select(d < width, inside, R(0.0));
  }
};

/// That of bodies which touch each other (`barrier.hpp`): κ [Pa], d̂ [m]. Not a number where d ≤ 0.
struct BarrierPressure {
  template <class R>
  INVAR_HD static R at(const R& d, const R& stiffness, const R& d_hat) {
    const R outside = stiffness * barrier_pressure(d, d_hat);
    return select(R(0.0) < d, outside, R(std::numeric_limits<double>::quiet_NaN()));
  }
};

/// Contact of facets with a rigid body, with smoothed Coulomb friction. At x = X + u with signed distance d(x) to
/// the obstacle (positive outside) and its outward normal n,
///   pressure   p(d), see Pressure
///   friction   −μ p v_t / √(|v_t|² + v_ε²),   v_t the tangential part of u̇
/// per reference area, r(v) = −∫ (p n + friction)·v dA. Stiffer k and smaller ε approach rigid contact, smaller v_ε Coulomb's law.
/// In axisymmetric models the obstacle is what its shape in the half-plane x ≥ 0 becomes around the axis. The shape's centre must be at x ≥ 0.
/// Of a box, distances near its edges are those to the edge. Coefficients: two of the pressure, μ, v_ε [m/s], then position [m] (of a
/// plane: a point on it; else the centre), direction (plane: outward normal; cylinder: axis; need not be unit vectors) or of a box its
/// half lengths [m], radius [m].
template <int Dim, class Pressure = PenaltyPressure>
struct RigidContact {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = join(value_slots<Dim>(), at_level(Level::rate, value_slots<Dim>()));
  static constexpr bool symmetric = false, uses_position = true;
  static constexpr std::size_t ns = 2 * Dim;
  enum Coefficient { stiffness, width, friction, slip_speed, position, direction = position + Dim, radius = direction + Dim };

  ObstacleShape shape = ObstacleShape::plane;
  bool axisymmetric = false;  // of the plane: x is r, integrals go over the full circle

  int n_coefficients() const { return radius + 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Vector<R, Dim> away, n;  // from the obstacle's position to x
    for (int i = 0; i < Dim; ++i) away[i] = g.x[i] + z[i] - p[position + i];
    const R distance = distance_to(away, p, n), ring = axisymmetric ? R((2 * std::numbers::pi) * g.x[0]) : R(1.0);
    const R pressure = Pressure::at(distance, R(p[stiffness]), R(p[width])) * ring;
    std::array<R, ns> f;
    R along(0.0);
    for (int i = 0; i < Dim; ++i) along += n[i] * z[Dim + i];
    Vector<R, Dim> slip;
    R speed2 = p[slip_speed] * p[slip_speed];
    for (int i = 0; i < Dim; ++i) {
      slip[i] = z[Dim + i] - along * n[i];
      speed2 += slip[i] * slip[i];
    }
    const R drag = p[friction] * pressure / sqrt(speed2);
    for (int i = 0; i < Dim; ++i) {
      f[i] = (drag * slip[i] - pressure * n[i]) * g.measure;
      f[Dim + i] = R(0.0);
    }
    return f;
  }

  /// Signed distance and outward normal.
  template <class R, class Tp>
  INVAR_HD R distance_to(const Vector<R, Dim>& away, const Tp* p, Vector<R, Dim>& n) const {
    if (shape == ObstacleShape::box) return distance_to_box(away, p, n);
    Vector<R, Dim> unit;
    R size(0.0);
    for (int i = 0; i < Dim; ++i) size += p[direction + i] * p[direction + i];
    size = sqrt(size);
    for (int i = 0; i < Dim; ++i) unit[i] = p[direction + i] / size;
    R height(0.0);
    for (int i = 0; i < Dim; ++i) height += unit[i] * away[i];
    if (shape == ObstacleShape::plane) {
      n = unit;
      return height;
    }
    Vector<R, Dim> across = away;
    if (shape == ObstacleShape::cylinder && Dim == 3)
      for (int i = 0; i < Dim; ++i) across[i] -= height * unit[i];
    R r(1e-300);
    for (int i = 0; i < Dim; ++i) r += across[i] * across[i];
    r = sqrt(r);
    for (int i = 0; i < Dim; ++i) n[i] = across[i] / r;
    return r - p[radius];
  }

 private:
  template <class R, class Tp>
  INVAR_HD static R distance_to_box(const Vector<R, Dim>& away, const Tp* p, Vector<R, Dim>& n) {
    Vector<R, Dim> beyond, side;  // past each pair of faces, and the sign of the nearer one
    for (int i = 0; i < Dim; ++i) {
      side[i] = select(away[i] < R(0.0), R(-1.0), R(1.0));
      beyond[i] = side[i] * away[i] - p[direction + i];
    }
    R nearest = beyond[0], square(0.0);
    for (int i = 1; i < Dim; ++i) nearest = select(nearest < beyond[i], beyond[i], nearest);
    Vector<R, Dim> outside;
    for (int i = 0; i < Dim; ++i) {
      outside[i] = select(beyond[i] < R(0.0), R(0.0), beyond[i]);
      square += outside[i] * outside[i];
    }
    const R length = sqrt(square + 1e-300);
    for (int i = 0; i < Dim; ++i) {  // on a face, where the distance is 0, as inside: √ has no derivative there
      const R face = select(beyond[i] < nearest, R(0.0), side[i]);
      n[i] = select(R(0.0) < nearest, side[i] * outside[i] / length, face);
    }
    return select(R(0.0) < nearest, length, nearest);
  }
};

}  // namespace invar
