#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar::test {

using Array = std::vector<double>;

/// Everything that a form depends on, or a direction or derivative of it.
struct FormInputs {
  Array u, X, lambda;
  std::vector<Array> p;

  FormInputs moved(double h, const FormInputs& d) const {
    FormInputs m = *this;
    const auto move = [h](Array& a, const Array& b) { for (std::size_t i = 0; i < b.size(); ++i) a[i] += h * b[i]; };
    move(m.u, d.u), move(m.X, d.X), move(m.lambda, d.lambda);
    for (std::size_t k = 0; k < d.p.size(); ++k) move(m.p[k], d.p[k]);
    return m;
  }
  Array joined() const {
    Array all = u;
    all.insert(all.end(), X.begin(), X.end());
    for (const Array& a : p) all.insert(all.end(), a.begin(), a.end());
    return all;
  }
};

/// One form of one serial space at a random state, with random directions. `mean`: what the unknown's
/// components vary about. Coefficients are constant, per cell and per node in turn.
class FormProbe {
 public:
  FormProbe(std::shared_ptr<const DofMap> dofs, WeakForm& form, const Array& constants, int n_cells, const Array& mean)
      : dofs_(std::move(dofs)), form_(form) {
    const Mesh& mesh = dofs_->mesh();
    at.u = random(dofs_->n_local(), 0.3);
    for (int n = 0; n < mesh.node_total(); ++n)
      for (int c = 0; c < dofs_->dof_count(n); ++c) at.u[dofs_->dof(n, c)] += mean[c];
    at.X = mesh.coordinates;
    at.lambda = random(dofs_->n_local(), 1);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto layout = static_cast<Coefficient::Layout>(k % 3);
      const int n = layout == Coefficient::Layout::constant   ? 1
                    : layout == Coefficient::Layout::per_cell ? n_cells
                                                              : mesh.node_total();
      at.p.push_back(random(n, 0.2 * constants[k]));
      for (double& v : at.p.back()) v += constants[k];
      form.coefficients()[k] = {layout, at.p.back()};
    }
    d = zeros();
    d.u = random(static_cast<int>(at.u.size()), 1);
    d.X = random(static_cast<int>(at.X.size()), 0.1);
    d.lambda = random(static_cast<int>(at.u.size()), 1);
    for (std::size_t k = 0; k < at.p.size(); ++k) d.p[k] = random(static_cast<int>(at.p[k].size()), constants[k]);
  }

  FormInputs zeros() const {
    FormInputs z{Array(at.u.size(), 0.0), Array(at.X.size(), 0.0), Array(at.u.size(), 0.0), {}};
    for (const Array& a : at.p) z.p.emplace_back(a.size(), 0.0);
    return z;
  }
  Array residual(const FormInputs& x) {
    Array r(x.u.size(), 0.0);
    EXPECT_TRUE(form_.residual(state(x), r.data()));
    return r;
  }
  Array jvp(const FormInputs& direction) {
    Array r(at.u.size(), 0.0);
    form_.jvp(state(at), tangent(direction), r.data());
    return r;
  }
  FormInputs vjp(const FormInputs& x) {
    return reverse([&](FormCotangent& out) { form_.vjp(state(x), x.lambda.data(), out); });
  }
  FormInputs vjp_tangent() {
    return reverse([&](FormCotangent& out) { form_.vjp_tangent(state(at), at.lambda.data(), tangent(d), out); });
  }
  double value(const FormInputs& x) { return form_.value(state(x)); }
  double value_jvp(const FormInputs& direction) { return form_.value_jvp(state(at), tangent(direction)); }
  FormInputs value_vjp(const FormInputs& x) {
    return reverse([&](FormCotangent& out) { form_.value_vjp(state(x), 1.7, out); });
  }
  FormInputs value_vjp_tangent() {
    return reverse([&](FormCotangent& out) { form_.value_vjp_tangent(state(at), 1.7, tangent(d), out); });
  }
  /// K x with the assembled tangent.
  Array product(const Array& x) {
    AssembledMatrix K(dofs_);
    K.begin();
    form_.jacobian(state(at), K);
    K.end();
    VecHandle in = dofs_->create_vector(), out = dofs_->create_vector();
    double* a = nullptr;
    check(VecGetArray(in, &a));
    std::copy(x.begin(), x.end(), a);
    check(VecRestoreArray(in, &a));
    check(MatMult(K.mat(), in, out));
    const LocalArray y(out);
    return Array(y.data(), y.data() + x.size());
  }

  FormInputs at, d;

 private:
  Array random(int n, double size) {
    Array a(n);
    for (double& v : a) v = size * (2 * std::generate_canonical<double, 53>(random_) - 1);
    return a;
  }
  FormState state(const FormInputs& x) {
    for (std::size_t k = 0; k < x.p.size(); ++k) form_.coefficients()[k].values = x.p[k];
    return {x.u.data(), x.X.data()};
  }
  static FormTangent tangent(const FormInputs& t) {
    FormTangent out{.unknown = t.u.data(), .coordinates = t.X.data(), .multiplier = t.lambda.data(), .coefficients = {}};
    for (const Array& a : t.p) out.coefficients.push_back(a.data());
    return out;
  }
  template <class F>
  FormInputs reverse(F f) {
    FormInputs bar = zeros();
    FormCotangent out{.unknown = bar.u.data(), .coordinates = bar.X.data(), .coefficients = {}};
    for (Array& a : bar.p) out.coefficients.push_back(a.data());
    f(out);
    return bar;
  }

  std::shared_ptr<const DofMap> dofs_;
  WeakForm& form_;
  std::mt19937_64 random_{12};
};

inline double dot(const Array& a, const Array& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
inline double largest(const Array& a) {
  double m = 0;
  for (double v : a) m = std::max(m, std::abs(v));
  return m;
}
/// Largest |a − b|.
inline double distance(const Array& a, const Array& b) {
  double m = 0;
  for (std::size_t i = 0; i < a.size(); ++i) m = std::max(m, std::abs(a[i] - b[i]));
  return m;
}
/// Sixth-order central difference of an array that depends on the step.
inline Array difference(const std::function<Array(double h)>& f, double h) {
  Array sum(f(0).size(), 0.0);
  const double weights[] = {45, -9, 1};
  for (int k = 1; k <= 3; ++k) {
    const Array forward = f(k * h), backward = f(-k * h);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[k - 1] * (forward[i] - backward[i]) / (60 * h);
  }
  return sum;
}

struct FormClaims {
  bool symmetric = false, functional = false;  // functionals have no residual
};

// Differences of sixth order: truncation (h/scale)⁶ and round-off 1e-16/h of directions of size one
// are both below 1e-11.
inline constexpr double form_step = 2e-3, by_differences = 1e-9, by_transposition = 1e-12;

/// The direction's parts, each alone: none hides behind a larger one.
inline std::vector<std::pair<std::string, FormInputs>> parts_of_direction(const FormProbe& f) {
  std::vector<std::pair<std::string, FormInputs>> parts;
  const auto alone = [&](const std::string& name, auto pick) {
    FormInputs only = f.zeros();
    pick(only);
    parts.emplace_back(name, only);
  };
  alone("unknown", [&](FormInputs& x) { x.u = f.d.u; });
  alone("coordinates", [&](FormInputs& x) { x.X = f.d.X; });
  for (std::size_t k = 0; k < f.d.p.size(); ++k)
    alone("coefficient " + std::to_string(k), [&](FormInputs& x) { x.p[k] = f.d.p[k]; });
  return parts;
}

/// Forward derivatives of the residual against differences, reverse against forward, second order against
/// differences of the reverse; the assembled tangent against the forward derivative.
inline void check_residual(FormProbe& f, bool symmetric) {
  const FormInputs &at = f.at, &d = f.d;
  const auto groups = parts_of_direction(f);
  const FormInputs bar = f.vjp(at);
  const double noise = largest(f.residual(at));
  for (const auto& [name, only] : groups) {
    SCOPED_TRACE(name);
    const Array expected = difference([&](double s) { return f.residual(at.moved(s, only)); }, form_step);
    const Array r_dot = f.jvp(only);
    EXPECT_LE(distance(r_dot, expected), by_differences * (largest(expected) + 1e-2 * noise));
    double terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) terms += std::abs(at.lambda[i] * r_dot[i]);
    EXPECT_NEAR(dot(bar.joined(), only.joined()), dot(at.lambda, r_dot), by_transposition * terms);
  }
  const Array Ku = f.product(d.u), r_dot = f.jvp(groups[0].second);
  EXPECT_LE(distance(Ku, r_dot), by_transposition * largest(r_dot));
  if (symmetric) {
    double terms = 0;
    for (std::size_t i = 0; i < Ku.size(); ++i) terms += std::abs(at.lambda[i] * Ku[i]);
    EXPECT_NEAR(dot(at.lambda, Ku), dot(d.u, f.product(at.lambda)), by_transposition * terms);
  }
  const Array second = difference([&](double s) { return f.vjp(at.moved(s, d)).joined(); }, form_step);
  f.residual(at);  // coefficients back
  EXPECT_LE(distance(f.vjp_tangent().joined(), second), by_differences * largest(second));
}

/// The same of an integral that only objectives read.
inline void check_functional(FormProbe& f) {
  const FormInputs &at = f.at, &d = f.d;
  const FormInputs bar = f.value_vjp(at);
  for (const auto& [name, only] : parts_of_direction(f)) {
    SCOPED_TRACE(name);
    const double slope = f.value_jvp(only),
                 expected = difference([&](double s) { return Array{f.value(at.moved(s, only))}; }, form_step)[0];
    const double size = std::abs(expected) + std::abs(f.value(at));
    EXPECT_NEAR(slope, expected, by_differences * size);
    EXPECT_NEAR(1.7 * slope, dot(bar.joined(), only.joined()), by_transposition * size);
  }
  const Array curvature = difference([&](double s) { return f.value_vjp(at.moved(s, d)).joined(); }, form_step);
  f.value(at);  // coefficients back
  EXPECT_LE(distance(f.value_vjp_tangent().joined(), curvature), by_differences * largest(curvature));
  EXPECT_THROW(f.residual(at), std::logic_error);
}

inline void check_form(FormProbe& f, FormClaims claims) {
  if (claims.functional) check_functional(f);
  else check_residual(f, claims.symmetric);
}

}  // namespace invar::test
