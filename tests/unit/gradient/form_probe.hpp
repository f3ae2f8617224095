#pragma once
#include <gtest/gtest.h>

#include <random>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar::gradient_test {

using Array = std::vector<double>;

inline double dot(const Array& a, const Array& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

/// Largest |a − b| over the largest |b|.
inline double difference(const Array& a, const Array& b) {
  double worst = 0, size = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return worst / size;
}

/// Everything that a form depends on, or a direction or derivative of it.
struct Inputs {
  Array u, rate, X, lambda;
  std::vector<Array> p;

  Inputs moved(double h, const Inputs& d) const {
    Inputs m = *this;
    const auto move = [h](Array& a, const Array& b) { for (std::size_t i = 0; i < b.size(); ++i) a[i] += h * b[i]; };
    move(m.u, d.u), move(m.rate, d.rate), move(m.X, d.X), move(m.lambda, d.lambda);
    for (std::size_t k = 0; k < d.p.size(); ++k) move(m.p[k], d.p[k]);
    return m;
  }
  Array joined() const {
    Array all = u;
    all.insert(all.end(), rate.begin(), rate.end());
    all.insert(all.end(), X.begin(), X.end());
    for (const Array& a : p) all.insert(all.end(), a.begin(), a.end());
    return all;
  }
};

/// A form at a random state near rest, with rates of their own where it reads them; coefficients are constant, per cell and
/// per node in turn.
class FormProbe {
 public:
  FormProbe(const DofMap& dofs, WeakForm& form, const Array& constants, int n_cells)
      : dofs_(dofs), form_(form), rates_(form.traits().reads[Level::rate]) {
    const Mesh& mesh = dofs.mesh();
    at.u = random(dofs.n_local(), 0.03);
    at.rate = random(rates_ ? dofs.n_local() : 0, 0.04);
    at.X = mesh.coordinates;
    at.lambda = random(dofs.n_local(), 1);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto layout = static_cast<Coefficient::Layout>(k % 3);
      const int n = layout == Coefficient::Layout::constant   ? 1
                    : layout == Coefficient::Layout::per_cell ? n_cells
                                                              : mesh.node_total();
      at.p.push_back(random(n, 0.05));
      for (double& v : at.p.back()) v = constants[k] * (1 + v);
      form.coefficients()[k] = {layout, at.p.back()};
    }
    d = zeros();
    d.u = random(static_cast<int>(at.u.size()), 0.1);
    d.rate = random(static_cast<int>(at.rate.size()), 0.1);
    d.X = random(static_cast<int>(at.X.size()), 0.1);
    d.lambda = random(static_cast<int>(at.u.size()), 1);
    for (std::size_t k = 0; k < at.p.size(); ++k)
      for (std::size_t i = 0; i < at.p[k].size(); ++i) d.p[k][i] = at.p[k][i] * random(1, 0.5)[0];
  }

  Inputs zeros() const {
    Inputs z{Array(at.u.size(), 0.0), Array(at.rate.size(), 0.0), Array(at.X.size(), 0.0), Array(at.u.size(), 0.0), {}};
    for (const Array& a : at.p) z.p.emplace_back(a.size(), 0.0);
    return z;
  }
  Array residual(const Inputs& x) {
    Array r(x.u.size(), 0.0);
    EXPECT_TRUE(form_.residual(state(x), r.data()));
    return r;
  }
  double value(const Inputs& x) { return form_.value(state(x)); }
  Array jvp(const Inputs& direction) {
    Array r(at.u.size(), 0.0);
    form_.jvp(state(at), tangent(direction), r.data());
    return r;
  }
  double value_jvp() { return form_.value_jvp(state(at), tangent(d)); }
  Inputs vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form_.vjp(state(x), x.lambda.data(), out); });
  }
  Inputs vjp_tangent(const Inputs& direction) {
    return reverse([&](FormCotangent& out) { form_.vjp_tangent(state(at), at.lambda.data(), tangent(direction), out); });
  }
  Inputs value_vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form_.value_vjp(state(x), 1.7, out); });
  }
  Inputs value_vjp_tangent() {
    return reverse([&](FormCotangent& out) { form_.value_vjp_tangent(state(at), 1.7, tangent(d), out); });
  }
  Array product(AssembledMatrix& K, const Array& x) {
    K.begin();
    form_.jacobian(state(at), levels(1.0, 0.7), K);
    K.end();
    VecHandle in = dofs_.create_vector(), out = dofs_.create_vector();
    double* a = nullptr;
    check(VecGetArray(in, &a));
    std::copy(x.begin(), x.end(), a);
    check(VecRestoreArray(in, &a));
    check(MatMult(K.mat(), in, out));
    const LocalArray y(out);
    return Array(y.data(), y.data() + x.size());
  }

  Inputs at, d;

 private:
  Array random(int n, double size) {
    Array a(n);
    for (double& v : a) v = size * (2 * std::generate_canonical<double, 53>(random_) - 1);
    return a;
  }
  FormState state(const Inputs& x) {
    for (std::size_t k = 0; k < x.p.size(); ++k) form_.coefficients()[k].values = x.p[k];
    return {levels(x.u.data(), x.rate.data()), x.X.data()};
  }
  template <class T>
  PerLevel<T> levels(T value, T rate) const {
    PerLevel<T> all(value);
    if (rates_) all[Level::rate] = rate;
    return all;
  }
  FormTangent tangent(const Inputs& t) const {
    FormTangent out{.unknown = levels(t.u.data(), t.rate.data()), .coordinates = t.X.data(), .multiplier = t.lambda.data(), .coefficients = {}};
    for (const Array& a : t.p) out.coefficients.push_back(a.data());
    return out;
  }
  template <class F>
  Inputs reverse(F f) {
    Inputs bar = zeros();
    FormCotangent out{.unknown = levels(bar.u.data(), bar.rate.data()), .coordinates = bar.X.data(), .coefficients = {}};
    for (Array& a : bar.p) out.coefficients.push_back(a.data());
    f(out);
    return bar;
  }

  const DofMap& dofs_;
  WeakForm& form_;
  bool rates_;
  std::mt19937_64 random_{12};
};

// Differences over 2h, h = 1e-5 of directions of size 0.1: truncation ~1e-11, round-off ~1e-11.
constexpr double h = 1e-5, by_differences = 2e-7;
// The same formula in another order: round-off alone.
constexpr double by_transposition = 1e-12;

/// Of what `evaluate` makes of the inputs, along the direction of all of them.
template <class Evaluate>
Array centred(const FormProbe& f, const Evaluate& evaluate) {
  Array forward = evaluate(f.at.moved(h, f.d)).joined();
  const Array backward = evaluate(f.at.moved(-h, f.d)).joined();
  for (std::size_t i = 0; i < forward.size(); ++i) forward[i] = (forward[i] - backward[i]) / (2 * h);
  return forward;
}

/// Derivatives of the value, that of 1.7 W where they are reverse.
inline void check_value(FormProbe& f) {
  const Inputs &at = f.at, &d = f.d;
  f.value(at);
  const Inputs w_bar = f.value_vjp(at);
  const double slope = f.value_jvp();
  EXPECT_NEAR(1.7 * slope, dot(w_bar.joined(), d.joined()), by_transposition * 100 * (std::abs(slope) + 1));
  EXPECT_NEAR(slope, (f.value(at.moved(h, d)) - f.value(at.moved(-h, d))) / (2 * h), by_differences * (std::abs(slope) + 0.1));
  const Array curvature = centred(f, [&](const Inputs& x) { return f.value_vjp(x); });
  f.value(at);
  EXPECT_LE(difference(f.value_vjp_tangent().joined(), curvature), by_differences);
}

inline void check_form(std::shared_ptr<const DofMap> dofs, WeakForm& form, const Array& constants, int n_cells, bool symmetric, bool density) {
  FormProbe f(*dofs, form, constants, n_cells);
  const Inputs &at = f.at, &d = f.d;

  // Each group of inputs alone: a small contribution must not hide behind a large one.
  std::vector<std::pair<const char*, Inputs>> groups;
  const auto alone = [&](const char* name, auto pick) {
    Inputs only = f.zeros();
    pick(only);
    groups.emplace_back(name, only);
  };
  alone("unknown", [&](Inputs& x) { x.u = d.u; });
  if (!d.rate.empty()) alone("rate", [&](Inputs& x) { x.rate = d.rate; });
  alone("coordinates", [&](Inputs& x) { x.X = d.X; });
  for (std::size_t k = 0; k < d.p.size(); ++k) alone("coefficient", [&](Inputs& x) { x.p[k] = d.p[k]; });

  const Inputs bar = f.vjp(at);
  const double size = std::abs(dot(at.lambda, f.jvp(d)));
  for (const auto& [name, only] : groups) {
    SCOPED_TRACE(name);
    // The residual is nearly linear in coefficients, and hardly depends on some: a longer step.
    const double step = std::string_view(name) == "coefficient" ? 10 * h : h;
    const Array forward = f.residual(at.moved(step, only)), backward = f.residual(at.moved(-step, only));
    const Array twice = f.residual(at.moved(2 * step, only)), twice_back = f.residual(at.moved(-2 * step, only));
    Array expected(forward.size());  // of fourth order: where fibres begin to pull, the second one is not enough
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = (8 * (forward[i] - backward[i]) - (twice[i] - twice_back[i])) / (12 * step);
    f.residual(at);  // coefficients back
    const Array r_dot = f.jvp(only);
    double noise = 0;
    for (double v : forward) noise = std::max(noise, std::abs(v));
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      worst = std::max(worst, std::abs(r_dot[i] - expected[i]));
      scale = std::max(scale, std::abs(expected[i]));
    }
    EXPECT_LE(worst, by_differences * scale + 1e-10 * noise);
    double sum = 0, terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) sum += at.lambda[i] * r_dot[i], terms += std::abs(at.lambda[i] * r_dot[i]);
    EXPECT_NEAR(dot(bar.joined(), only.joined()), sum, by_transposition * (terms + size));
  }

  AssembledMatrix K(dofs);
  Inputs together = f.zeros();  // as the weights of `product`
  together.u = together.rate = d.u;
  if (d.rate.empty()) together.rate.clear();
  for (double& v : together.rate) v *= 0.7;
  const Array Ku = f.product(K, d.u), r_dot = f.jvp(together);
  double stiffness = 0;
  for (double v : r_dot) stiffness = std::max(stiffness, std::abs(v));
  for (std::size_t i = 0; i < Ku.size(); ++i) EXPECT_NEAR(Ku[i], r_dot[i], by_transposition * stiffness + 1e-300);
  if (symmetric) {
    EXPECT_NEAR(dot(at.lambda, Ku), dot(d.u, f.product(K, at.lambda)), 10 * by_transposition * (size + stiffness));
  }

  const Array curvature = centred(f, [&](const Inputs& x) { return f.vjp(x); });
  f.residual(at);
  EXPECT_LE(difference(f.vjp_tangent(d).joined(), curvature), by_differences);

  if (!density) return;
  const Inputs w_bar = f.value_vjp(at);
  Array r = f.residual(at);
  for (double& v : r) v *= 1.7;
  EXPECT_LE(difference(w_bar.u, r), by_transposition);  // the residual is the gradient of the value
  check_value(f);
}

}  // namespace invar::gradient_test
