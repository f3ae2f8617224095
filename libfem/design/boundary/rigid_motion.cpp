#include "libfem/design/boundary/rigid_motion.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

using Vec3 = Vector<double, 3>;
using Mat3 = Matrix<double, 3, 3>;

Vec3 load(const double* values, int dim) { return {values[0], values[1], dim == 3 ? values[2] : 0.0}; }
void store(const Vec3& v, double* values, int dim) {
  for (int d = 0; d < dim; ++d) values[d] = v[d];
}

/// Mᵀ v for every point's vector v.
std::vector<double> transposed_times(const Mat3& M, const double* v, int n_points, int dim) {
  std::vector<double> product(std::size_t(n_points) * dim);
  for (std::size_t i = 0; i < product.size(); i += dim) store(transpose(M) * load(v + i, dim), &product[i], dim);
  return product;
}

}  // namespace

RigidMotion::RigidMotion(int dim, const Options& options) : dim_(dim), options_(options) {
  if (dim != 2 && dim != 3) throw std::invalid_argument("a rigid motion has 2 or 3 dimensions");
  if (dim == 2) options_.axis = {0, 0, 1}, options_.centre[2] = 0, options_.translates[2] = false;
  auto& axis = options_.axis;
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0)) throw std::invalid_argument("the axis of a rotation must not be zero");
  for (double& a : axis) a /= length;
  if (names().empty()) throw std::invalid_argument("a rigid motion needs a free angle or a free translation");
}

std::vector<std::string> RigidMotion::names() const {
  std::vector<std::string> names;
  if (options_.rotates) names.push_back("angle");
  constexpr const char* shift[] = {"t_x", "t_y", "t_z"};
  for (int d = 0; d < dim_; ++d)
    if (options_.translates[d]) names.push_back(shift[d]);
  return names;
}

RigidMotion::Numbers RigidMotion::numbers(const double* theta) const {
  Numbers all;
  if (options_.rotates) all.angle = *theta++;
  for (int d = 0; d < dim_; ++d)
    if (options_.translates[d]) all.shift[d] = *theta++;
  return all;
}

RigidMotion::Rotation RigidMotion::rotation(const double* theta) const {
  using Second = Dual<Dual<double, 1>, 1>;
  Second angle(numbers(theta).angle);
  angle.value.grad[0] = angle.grad[0].value = 1;
  const auto& a = options_.axis;
  const Second c = cos(angle), s = sin(angle);
  const double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
  Rotation rotation;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {  // Rodrigues: R = c I + s [a]× + (1 − c) a aᵀ
      const Second entry = c * (i == j ? 1.0 : 0.0) + s * cross[i][j] + (1.0 - c) * (a[i] * a[j]);
      rotation.R(i, j) = entry.value.value;
      rotation.dR(i, j) = entry.grad[0].value;
      rotation.ddR(i, j) = entry.grad[0].grad[0];
    }
  return rotation;
}

Vector<double, 3> RigidMotion::arm(const std::vector<double>& y, std::size_t point) const {
  const auto& c = options_.centre;
  return load(&y[point * dim_], dim_) - Vec3{c[0], c[1], c[2]};
}

void RigidMotion::move(const double* theta, const std::vector<double>& y, double* z) const {
  const Mat3 R = rotation(theta).R;
  const auto& c = options_.centre;
  const Vec3 to = Vec3{c[0], c[1], c[2]} + numbers(theta).shift;
  for (std::size_t p = 0; p < y.size() / dim_; ++p) store(R * arm(y, p) + to, z + p * dim_, dim_);
}

void RigidMotion::jvp(const double* theta, const double* theta_dot, const std::vector<double>& y,
                      const std::vector<double>& y_dot, double* z_dot) const {
  const Rotation r = rotation(theta);
  const Numbers rate = numbers(theta_dot);
  const Mat3 R_dot = rate.angle * r.dR;
  for (std::size_t p = 0; p < y.size() / dim_; ++p)
    store(R_dot * arm(y, p) + r.R * load(&y_dot[p * dim_], dim_) + rate.shift, z_dot + p * dim_, dim_);
}

void RigidMotion::vjp(const double* theta, const std::vector<double>& y, const double* z_bar, double* theta_bar) const {
  const Mat3 dR = rotation(theta).dR;
  Numbers bar;
  for (std::size_t p = 0; p < y.size() / dim_; ++p) {
    const Vec3 force = load(z_bar + p * dim_, dim_);
    bar.angle += dot(force, dR * arm(y, p));
    bar.shift += force;
  }
  if (options_.rotates) *theta_bar++ += bar.angle;
  for (int d = 0; d < dim_; ++d)
    if (options_.translates[d]) *theta_bar++ += bar.shift[d];
}

void RigidMotion::vjp_tangent(const double* theta, const double* theta_dot, const std::vector<double>& y,
                              const std::vector<double>& y_dot, const double* z_bar, double* theta_bar_dot) const {
  if (!options_.rotates) return;  // translations are linear
  const Rotation r = rotation(theta);
  const Mat3 dR_dot = numbers(theta_dot).angle * r.ddR;
  for (std::size_t p = 0; p < y.size() / dim_; ++p)
    *theta_bar_dot += dot(load(z_bar + p * dim_, dim_), dR_dot * arm(y, p) + r.dR * load(&y_dot[p * dim_], dim_));
}

std::vector<double> RigidMotion::pull_back(const double* theta, const double* z_bar, int n_points) const {
  return transposed_times(rotation(theta).R, z_bar, n_points, dim_);
}

std::vector<double> RigidMotion::pull_back_tangent(const double* theta, const double* theta_dot, const double* z_bar,
                                                   int n_points) const {
  return transposed_times(numbers(theta_dot).angle * rotation(theta).dR, z_bar, n_points, dim_);
}

}  // namespace invar
