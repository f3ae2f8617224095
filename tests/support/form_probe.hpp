#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar::test {

using Array = std::vector<double>;

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
/// factor (a − b).
inline Array minus(Array a, const Array& b, double factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = factor * (a[i] - b[i]);
  return a;
}
/// Largest |a − b|.
inline double distance(const Array& a, const Array& b) { return largest(minus(a, b)); }

/// Everything that a form depends on, or a direction or derivative of it.
struct FormInputs {
  std::array<Array, level_count> u;  // by level; empty: the level is the same as the value
  Array X, lambda;
  std::vector<Array> p;

  FormInputs moved(double h, const FormInputs& d) const {
    FormInputs m = *this;
    const auto move = [h](Array& a, const Array& b) { for (std::size_t i = 0; i < b.size(); ++i) a[i] += h * b[i]; };
    for (int l = 0; l < level_count; ++l) move(m.u[l], d.u[l]);
    move(m.X, d.X), move(m.lambda, d.lambda);
    for (std::size_t k = 0; k < d.p.size(); ++k) move(m.p[k], d.p[k]);
    return m;
  }
  /// All but the multiplier.
  Array joined() const {
    Array all = X;
    for (const Array& a : u) all.insert(all.end(), a.begin(), a.end());
    for (const Array& a : p) all.insert(all.end(), a.begin(), a.end());
    return all;
  }
};

/// Sizes of the random numbers of a probe.
struct ProbeSizes {
  std::array<double, level_count> unknown{0.03, 0, 0, 0};  // by level; 0: the level is the same as the value
  Array mean = {};                                          // by component: what the value varies about; empty: 0
  double spread = 0.05;                                     // of coefficients, relative
  double direction = 0.1;                                   // of a direction in the unknown
  double of_coefficients = 0.5;                             // of a direction in coefficients, relative
};

/// One form of one serial space at a random state, with random directions. Coefficients are constant, per cell and per node in turn.
class FormProbe {
 public:
  FormProbe(std::shared_ptr<const DofMap> dofs, WeakForm& form, const Array& constants, int n_cells, const ProbeSizes& sizes = {})
      : dofs_(std::move(dofs)), form_(form) {
    const Mesh& mesh = dofs_->mesh();
    const int n = dofs_->n_local();
    for (int l = 0; l < level_count; ++l)
      if (l == 0 || sizes.unknown[l] > 0) at.u[l] = random(n, sizes.unknown[l]);
    for (int node = 0; node < mesh.node_total() && !sizes.mean.empty(); ++node)
      for (int c = 0; c < dofs_->dof_count(node); ++c) at.u[0][dofs_->dof(node, c)] += sizes.mean[c];
    at.X = mesh.coordinates;
    at.lambda = random(n, 1);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto layout = static_cast<Coefficient::Layout>(k % 3);
      const int size = layout == Coefficient::Layout::constant   ? 1
                       : layout == Coefficient::Layout::per_cell ? n_cells
                                                                 : mesh.node_total();
      at.p.push_back(random(size, sizes.spread));
      for (double& v : at.p.back()) v = constants[k] * (1 + v);
      form.coefficients()[k] = {layout, at.p.back()};
    }
    d = zeros();
    for (Array& u : d.u) u = random(static_cast<int>(u.size()), sizes.direction);
    d.X = random(static_cast<int>(at.X.size()), 0.1);
    d.lambda = random(n, 1);
    for (std::size_t k = 0; k < at.p.size(); ++k) d.p[k] = random(static_cast<int>(at.p[k].size()), sizes.of_coefficients * constants[k]);
  }

  FormInputs zeros() const {
    FormInputs z = at;
    for (Array& u : z.u) std::ranges::fill(u, 0.0);
    for (Array& p : z.p) std::ranges::fill(p, 0.0);
    std::ranges::fill(z.X, 0.0), std::ranges::fill(z.lambda, 0.0);
    return z;
  }
  /// The direction's parts, each alone: none hides behind a larger one.
  std::vector<std::pair<std::string, FormInputs>> parts_of_direction() const {
    std::vector<std::pair<std::string, FormInputs>> parts;
    const auto alone = [&](const std::string& name, auto pick) {
      parts.emplace_back(name, zeros());
      pick(parts.back().second);
    };
    for (int l = 0; l < level_count; ++l)
      if (!d.u[l].empty()) alone("level " + std::to_string(l), [&](FormInputs& x) { x.u[l] = d.u[l]; });
    alone("coordinates", [&](FormInputs& x) { x.X = d.X; });
    for (std::size_t k = 0; k < d.p.size(); ++k)
      alone("coefficient " + std::to_string(k), [&](FormInputs& x) { x.p[k] = d.p[k]; });
    return parts;
  }

  Array residual(const FormInputs& x) {
    Array r(x.lambda.size(), 0.0);
    EXPECT_TRUE(form_.residual(state(x), r.data()));
    return r;
  }
  Array jvp(const FormInputs& direction) {
    Array r(at.lambda.size(), 0.0);
    form_.jvp(state(at), tangent(direction), r.data());
    return r;
  }
  FormInputs vjp(const FormInputs& x) {
    return reverse([&](FormCotangent& out) { form_.vjp(state(x), x.lambda.data(), out); });
  }
  FormInputs vjp_tangent(const FormInputs& direction) {
    return reverse([&](FormCotangent& out) { form_.vjp_tangent(state(at), at.lambda.data(), tangent(direction), out); });
  }
  double value(const FormInputs& x) { return form_.value(state(x)); }
  double value_jvp(const FormInputs& direction) { return form_.value_jvp(state(at), tangent(direction)); }
  FormInputs value_vjp(const FormInputs& x, double seed) {
    return reverse([&](FormCotangent& out) { form_.value_vjp(state(x), seed, out); });
  }
  FormInputs value_vjp_tangent(double seed) {
    return reverse([&](FormCotangent& out) { form_.value_vjp_tangent(state(at), seed, tangent(d), out); });
  }
  /// Nodes without a common cell that the form couples at its state.
  std::vector<DistantPairs> distant_pairs() {
    const auto* distant = dynamic_cast<const DistantCoupling*>(&form_);
    if (!distant) return {};
    DistantPairs pairs{distant->distant_components(), {}};
    distant->add_couplings(state(at), pairs.nodes);
    std::ranges::sort(pairs.nodes);
    pairs.nodes.erase(std::unique(pairs.nodes.begin(), pairs.nodes.end()), pairs.nodes.end());
    return {pairs};
  }
  /// K x with the assembled tangent, Σ weight of a level × ∂r/∂(that level).
  Array product(AssembledMatrix& K, const PerLevel<double>& weights, const Array& x) {
    K.begin();
    form_.jacobian(state(at), weights, K);
    K.end();
    VecHandle in = dofs_->create_vector(), out = dofs_->create_vector();
    double* a = nullptr;
    check(VecGetArray(in, &a));
    std::ranges::copy(x, a);
    check(VecRestoreArray(in, &a));
    check(MatMult(K.mat(), in, out));
    const LocalArray y(out);
    return Array(y.data(), y.data() + x.size());
  }
  /// d/dε of an array that `evaluate` makes of the inputs, along a direction, by central differences of so many points on each side.
  template <class Evaluate>
  Array centred(const FormInputs& along, double h, int points, const Evaluate& evaluate) {
    static constexpr std::array<std::array<double, 3>, 3> weights{{{1. / 2}, {2. / 3, -1. / 12}, {3. / 4, -3. / 20, 1. / 60}}};
    Array sum;
    for (int k = 1; k <= points; ++k) {
      const Array forward = evaluate(at.moved(k * h, along)), backward = evaluate(at.moved(-k * h, along));
      sum.resize(forward.size(), 0.0);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[points - 1][k - 1] * (forward[i] - backward[i]) / h;
    }
    state(at);  // coefficients back
    return sum;
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
    return {levels_of<const double*>(x.u), x.X.data()};
  }
  static FormTangent tangent(const FormInputs& t) {
    FormTangent out{.unknown = levels_of<const double*>(t.u), .coordinates = t.X.data(), .multiplier = t.lambda.data(), .coefficients = {}};
    for (const Array& a : t.p) out.coefficients.push_back(a.data());
    return out;
  }
  template <class F>
  FormInputs reverse(F f) {
    FormInputs bar = zeros();
    FormCotangent out{.unknown = levels_of<double*>(bar.u), .coordinates = bar.X.data(), .coefficients = {}};
    for (Array& a : bar.p) out.coefficients.push_back(a.data());
    f(out);
    return bar;
  }
  template <class Pointer, class Levels>
  static PerLevel<Pointer> levels_of(Levels& u) {
    PerLevel<Pointer> all(u[0].data());
    for (Level l : all_levels)
      if (!u[static_cast<int>(l)].empty()) all[l] = u[static_cast<int>(l)].data();
    return all;
  }

  std::shared_ptr<const DofMap> dofs_;
  WeakForm& form_;
  std::mt19937_64 random_{12};
};

}  // namespace invar::test
