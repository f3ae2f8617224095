#include "libfem/mechanism/joint.hpp"

#include <cmath>

#include "libfem/mechanism/mechanism_laws.hpp"
#include "libfem/mechanism/rigid_body.hpp"

namespace invar {
namespace {

using JointVector = std::array<double, 3>;

// Violation of constraints: displacement of the second body relative to the first. Multipliers are forces on the first.
struct LinearGap {
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>&) const { return -z[0]; }
};
/// n·d of two moving vectors.
struct AcrossGap {
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>&) const {
    T sum(0.0);
    const std::size_t n = z.size() / 2;
    for (std::size_t i = 0; i < n; ++i) sum -= z[i] * z[n + i];
    return sum;
  }
};
template <class Gap>
std::unique_ptr<MechanismTerm> make_gap(const AffineMap& map, int multiplier) {
  return make_constraint(Gap{}, map, multiplier, {});
}

JointVector cross(const JointVector& a, const JointVector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

/// A unit vector perpendicular to e; in 2-D also to the third axis.
JointVector across(const JointVector& e, int dim) {
  if (dim == 2) return {-e[1], e[0], 0};
  const JointVector other = std::abs(e[0]) < 0.9 ? JointVector{1, 0, 0} : JointVector{0, 1, 0};
  JointVector n = cross(e, other);
  const double size = std::hypot(n[0], n[1], n[2]);
  for (double& v : n) v /= size;
  return n;
}

AffineNumber joint_place(const RigidBody* body, const RestPlace& X, int axis) { return body ? body->place(X, axis) : AffineNumber{X[axis]}; }
AffineNumber joint_turned(const RigidBody* body, const JointVector& v, int axis) { return body ? body->turned(v, axis) : AffineNumber{v[axis]}; }

/// Sine and cosine of the angle, with a common factor. z: f of the first body, f of the second, and in 3-D the axis of the second.
template <class T>
std::array<T, 2> sine_cosine(const std::vector<T>& z) {
  if (z.size() == 4) return {z[2] * z[1] - z[3] * z[0], z[0] * z[2] + z[1] * z[3]};
  const T *a = &z[0], *b = &z[3], *e = &z[6];
  const T s = e[0] * (b[1] * a[2] - b[2] * a[1]) + e[1] * (b[2] * a[0] - b[0] * a[2]) + e[2] * (b[0] * a[1] - b[1] * a[0]);
  return {s, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]};
}
template <class T>
T turned_angle(const std::vector<T>& z) {
  const auto [s, c] = sine_cosine(z);
  return atan2(s, c);
}

struct SpringEnergy {
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>& numbers) const {
    const T stretch = turned_angle(z) - numbers[1];
    return 0.5 * numbers[0] * stretch * stretch;
  }
};
struct TorqueEnergy {
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>& numbers) const { return -(numbers[0] * turned_angle(z)); }
};
struct AngleDamper {
  template <class T>
  void operator()(const std::vector<T>& z, const std::vector<T>& rate, const std::vector<T>&, const std::vector<T>& numbers, std::vector<T>& Q) const {
    std::vector<T> slope;
    T speed(0.0);
    for (std::size_t k = 0; k < z.size(); ++k) {
      slope.push_back(turned_angle(detail::seeded(z, static_cast<int>(k))).grad[0]);
      speed += slope[k] * rate[k];
    }
    for (std::size_t k = 0; k < z.size(); ++k) Q[k] += numbers[0] * speed * slope[k];
  }
};
struct AngleGap {
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>& numbers) const {
    const auto [s, c] = sine_cosine(z);
    return c * sin(numbers[0]) - s * cos(numbers[0]);
  }
};

}  // namespace

std::vector<JointConstraint> constraints_of(const Joint& joint) {
  const auto [first, second] = joint.bodies;
  const int dim = first->dim();
  constexpr const char* axes[] = {"x", "y", "z"};
  std::vector<JointConstraint> all;
  const auto same_place = [&] {
    for (int i = 0; i < dim; ++i)
      all.push_back({axes[i], &make_gap<LinearGap>, AffineMap({joint_place(first, joint.at, i) - joint_place(second, joint.at, i)})});
  };
  const auto same_direction = [&](const JointVector& v, const std::string& name) {
    for (int i = 0; i < dim; ++i)
      all.push_back({name + axes[i], &make_gap<LinearGap>, AffineMap({joint_turned(first, v, i) - joint_turned(second, v, i)})});
  };
  const auto same_directions = [&] {
    for (int j = 0; j < dim; ++j) {
      JointVector v{};
      v[j] = 1;
      same_direction(v, axes[j]);
    }
  };
  if (joint.kind != JointKind::slider) same_place();
  if (joint.kind == JointKind::hinge && dim == 3) same_direction(joint.axis, "axis_");
  if (joint.kind == JointKind::weld || joint.kind == JointKind::slider) same_directions();
  if (joint.kind == JointKind::slider) {
    std::vector<JointVector> normals{across(joint.axis, dim)};
    if (dim == 3) normals.push_back(cross(joint.axis, normals[0]));
    for (std::size_t k = 0; k < normals.size(); ++k) {
      std::vector<AffineNumber> z;
      for (int i = 0; i < dim; ++i) z.push_back(joint_turned(second, normals[k], i));
      for (int i = 0; i < dim; ++i) z.push_back(joint_place(first, joint.at, i) - joint_place(second, joint.at, i));
      all.push_back({k == 0 ? "across" : "across_2", &make_gap<AcrossGap>, AffineMap(std::move(z))});
    }
  }
  return all;
}

AffineMap angle_of(const Joint& joint) {
  const int dim = joint.bodies[0]->dim();
  const JointVector f = dim == 2 ? JointVector{1, 0, 0} : across(joint.axis, dim);
  std::vector<AffineNumber> z;
  for (const RigidBody* body : joint.bodies)
    for (int i = 0; i < dim; ++i) z.push_back(joint_turned(body, f, i));
  if (dim == 3)
    for (int i = 0; i < dim; ++i) z.push_back(joint_turned(joint.bodies[1], joint.axis, i));
  return AffineMap(std::move(z));
}

std::unique_ptr<MechanismTerm> torsion_spring(const Joint& joint, std::vector<MechanismNumber> numbers) {
  return make_energy(SpringEnergy{}, angle_of(joint), std::move(numbers));
}
std::unique_ptr<MechanismTerm> torsion_damper(const Joint& joint, std::vector<MechanismNumber> numbers) {
  return make_force(AngleDamper{}, angle_of(joint), std::move(numbers));
}
std::unique_ptr<MechanismTerm> joint_torque(const Joint& joint, std::vector<MechanismNumber> numbers) {
  return make_energy(TorqueEnergy{}, angle_of(joint), std::move(numbers));
}
std::unique_ptr<MechanismTerm> joint_motor(const Joint& joint, int multiplier, std::vector<MechanismNumber> numbers) {
  return make_constraint(AngleGap{}, angle_of(joint), multiplier, std::move(numbers));
}

}  // namespace invar
