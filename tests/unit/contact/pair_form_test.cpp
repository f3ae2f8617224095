// Forms of contact at random states of two blocks whose meshes do not match: forward against differences, reverse
// against forward, second order against differences of the reverse, the matrix against the forward.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "libfem/form/assembled_matrix.hpp"
#include "tests/unit/contact/two_blocks.hpp"

namespace invar::contact_test {
namespace {

using Array = std::vector<double>;

double dot(const Array& a, const Array& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

double largest(const Array& a) {
  double size = 0;
  for (double v : a) size = std::max(size, std::abs(v));
  return size;
}

Array minus(Array a, const Array& b, double factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = factor * (a[i] - b[i]);
  return a;
}

/// All inputs of a form, a direction of these, or an adjoint.
struct Inputs {
  Array u, rate, X, p, lambda;

  Inputs moved(double h, const Inputs& d) const {
    Inputs m = *this;
    for (Array Inputs::* of : {&Inputs::u, &Inputs::rate, &Inputs::X, &Inputs::p, &Inputs::lambda})
      for (std::size_t i = 0; i < (m.*of).size(); ++i) (m.*of)[i] += h * (d.*of)[i];
    return m;
  }
  Array joined() const {
    Array all;
    for (const Array* a : {&u, &rate, &X, &p}) all.insert(all.end(), a->begin(), a->end());
    return all;
  }
};

struct ContactProbe {
  TwoBlocks blocks;
  std::unique_ptr<WeakForm> form;
  bool friction;
  Inputs at, d;

  ContactProbe(TwoBlocks b, bool with_friction) : blocks(std::move(b)), friction(with_friction) {
    form = friction ? make_frictional_contact(blocks.finder, blocks.dofs) : make_contact(blocks.finder, blocks.dofs);
    const std::size_t n = blocks.dofs->n_local(), nx = blocks.mesh->coordinates.size();
    at = {blocks.random(n, 0.002), blocks.random(n, 0.3), blocks.mesh->coordinates, {30, 0.013}, blocks.random(n, 1)};
    if (friction) at.p.insert(at.p.end(), {0.4, 0.2});
    d = {blocks.random(n, 0.01), blocks.random(n, 1), blocks.random(nx, 0.01), {4, 0.0005}, blocks.random(n, 1)};
    if (friction) d.p.insert(d.p.end(), {0.3, 0.1});
  }
  FormState state(const Inputs& x) {
    for (std::size_t k = 0; k < x.p.size(); ++k) form->coefficients()[k] = Coefficient::constant(x.p[k]);
    FormState s;
    s.unknown[Level::value] = x.u.data();
    s.unknown[Level::rate] = x.rate.data();
    s.coordinates = x.X.data();
    return s;
  }
  FormTangent tangent(const Inputs& t) {
    FormTangent out;
    out.unknown[Level::value] = t.u.data();
    out.unknown[Level::rate] = t.rate.data();
    out.coordinates = t.X.data();
    out.multiplier = t.lambda.data();
    for (const double& p : t.p) out.coefficients.push_back(&p);
    return out;
  }
  Inputs zeros() const {
    Inputs z = at;
    for (Array* a : {&z.u, &z.rate, &z.X, &z.p, &z.lambda}) std::ranges::fill(*a, 0.0);
    return z;
  }
  Inputs reverse(const std::function<void(FormCotangent&)>& f) {
    Inputs bar = zeros();
    FormCotangent out;
    out.unknown[Level::value] = bar.u.data();
    out.unknown[Level::rate] = bar.rate.data();
    out.coordinates = bar.X.data();
    for (double& p : bar.p) out.coefficients.push_back(&p);
    f(out);
    return bar;
  }
  Array residual(const Inputs& x) {
    Array r(x.u.size(), 0.0);
    EXPECT_TRUE(form->residual(state(x), r.data()));
    return r;
  }
  Array jvp(const Inputs& along) {
    Array r(at.u.size(), 0.0);
    form->jvp(state(at), tangent(along), r.data());
    return r;
  }
  Inputs vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form->vjp(state(x), x.lambda.data(), out); });
  }
  Inputs vjp_tangent() {
    return reverse([&](FormCotangent& out) { form->vjp_tangent(state(at), at.lambda.data(), tangent(d), out); });
  }
  Inputs value_vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form->value_vjp(state(x), 1.0, out); });
  }
  template <class F>
  Array centred(const Inputs& along, F of) {
    constexpr double h = 1e-6;
    return minus(of(at.moved(h, along)), of(at.moved(-h, along)), 1 / (2 * h));
  }
  std::vector<std::pair<std::string, Inputs>> groups() {
    std::vector<std::pair<std::string, Inputs>> all;
    const auto add = [&](const std::string& name, Array Inputs::* of) {
      all.emplace_back(name, zeros());
      all.back().second.*of = d.*of;
    };
    add("displacement", &Inputs::u), add("coordinates", &Inputs::X);
    if (friction) add("velocity", &Inputs::rate);
    for (std::size_t k = 0; k < d.p.size(); ++k) {
      all.emplace_back("coefficient " + std::to_string(k), zeros());
      all.back().second.p[k] = d.p[k];
    }
    return all;
  }
};

constexpr double by_differences = 2e-6;  // third derivatives are of the order of d̂⁻³

void expect_exact(ContactProbe probe) {
  const Array r = probe.residual(probe.at);
  ASSERT_GT(largest(r), 0);
  const Inputs bar = probe.vjp(probe.at);
  for (const auto& [name, only] : probe.groups()) {
    SCOPED_TRACE(name);
    const Array r_dot = probe.jvp(only), expected = probe.centred(only, [&](const Inputs& x) { return probe.residual(x); });
    EXPECT_GT(largest(r_dot), 0);
    EXPECT_LE(largest(minus(r_dot, expected)), by_differences * largest(expected));
    double terms = 0;
    const Array b = bar.joined(), o = only.joined();
    for (std::size_t i = 0; i < b.size(); ++i) terms += std::abs(b[i] * o[i]);
    EXPECT_NEAR(dot(b, o), dot(probe.at.lambda, r_dot), 1e-13 * terms);
  }
  const Array second = probe.vjp_tangent().joined();
  EXPECT_LE(largest(minus(second, probe.centred(probe.d, [&](const Inputs& x) { return probe.vjp(x).joined(); }))), by_differences * largest(second));

  std::vector<NodePair> pairs;
  dynamic_cast<const DistantCoupling&>(*probe.form).add_couplings(probe.state(probe.at), pairs);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  AssembledMatrix K(std::make_shared<const SparsityPattern>(probe.blocks.dofs, std::vector{DistantPairs{{}, pairs}}));
  PerLevel<double> weights;
  weights[Level::value] = 0.7, weights[Level::rate] = probe.friction ? 0.01 : 0.0;
  K.begin();
  probe.form->jacobian(probe.state(probe.at), weights, K);
  K.end();
  Inputs along = probe.zeros();
  for (std::size_t i = 0; i < along.u.size(); ++i) along.u[i] = weights[Level::value] * probe.d.u[i], along.rate[i] = weights[Level::rate] * probe.d.u[i];
  VecHandle x = probe.blocks.dofs->create_vector(), y = probe.blocks.dofs->create_vector();
  double* a = nullptr;
  check(VecGetArray(x, &a));
  std::ranges::copy(probe.d.u, a);
  check(VecRestoreArray(x, &a));
  check(MatMult(K.mat(), x, y));
  const LocalArray Kx(y);
  const Array product(Kx.data(), Kx.data() + along.u.size()), expected = probe.jvp(along);
  EXPECT_LE(largest(minus(product, expected)), 1e-12 * largest(expected));

  // Σ forces vanish, and of frictionless contact also Σ moments.
  const DofMap& dofs = *probe.blocks.dofs;
  const int dim = probe.blocks.mesh->dim;
  double force[3] = {}, moment = 0, size = 0;
  for (int node = 0; node < probe.blocks.mesh->node_total(); ++node)
    for (int i = 0; i < dim; ++i) {
      const int dof = dofs.dof(node, i), other = dofs.dof(node, 1 - i % 2);
      force[i] += r[dof];
      size += std::abs(r[dof]);
      if (i < 2) moment += (i == 0 ? -1 : 1) * r[dof] * (probe.blocks.mesh->coordinates[std::size_t(node) * dim + 1 - i] + probe.at.u[other]);
    }
  for (int i = 0; i < dim; ++i) EXPECT_NEAR(force[i], 0, 1e-13 * size);
  if (!probe.friction) {
    EXPECT_NEAR(moment, 0, 1e-13 * size);
    EXPECT_LE(largest(minus(probe.value_vjp(probe.at).u, r)), 1e-13 * largest(r));  // the gradient of the energy
    const double slope = probe.form->value_jvp(probe.state(probe.at), probe.tangent(probe.d));
    EXPECT_NEAR(slope, dot(probe.value_vjp(probe.at).joined(), probe.d.joined()), 1e-12 * std::abs(slope));
    EXPECT_NEAR(slope, probe.centred(probe.d, [&](const Inputs& x) { return Array{probe.form->value(probe.state(x))}; })[0], by_differences * std::abs(slope));
  }
}

TEST(PairForm, DerivativesInThePlaneAreExact) {
  for (const bool friction : {false, true})
    for (const int order : {1, 2})
      for (const bool axisymmetric : {false, true}) {
        SCOPED_TRACE(std::string(friction ? "friction" : "frictionless") + ", order " + std::to_string(order) + (axisymmetric ? ", axisymmetric" : ""));
        expect_exact(ContactProbe(TwoBlocks(2, {Shape::quadrilateral, order}, 4, 4, 3, axisymmetric), friction));
      }
}

TEST(PairForm, DerivativesInSpaceAreExact) {
  for (const bool friction : {false, true})
    for (const CellType cell : {CellType{Shape::tetrahedron, 1}, CellType{Shape::hexahedron, 1}, CellType{Shape::tetrahedron, 2}}) {
      SCOPED_TRACE(std::string(friction ? "friction" : "frictionless") + ", " + std::string(name_of(cell.shape)) + " of order " + std::to_string(cell.order));
      expect_exact(ContactProbe(TwoBlocks(3, cell, 2, 2, 2), friction));
    }
}

// The force on the first side along a direction, and its moment, are those of the nodal forces at deformed positions of the lower
// body; derivatives are compared with differences.
TEST(PairForm, ForceAndMomentAreThoseOfNodes) {
  for (const int dim : {2, 3})
    for (const bool friction : {false, true})
      for (const bool turns : {false, true}) {
        SCOPED_TRACE(std::to_string(dim) + (friction ? "-D, friction" : "-D") + (turns ? ", moment" : ", force"));
        ContactProbe probe(dim == 2 ? TwoBlocks(2, {Shape::triangle, 2}, 4) : TwoBlocks(3, {Shape::hexahedron, 1}, 2, 2, 2), friction);
        const Array r = probe.residual(probe.at);
        const std::array<double, 3> p{0.3, 0.1, 0.2}, a{dim == 3 ? 0.4 : 0.0, dim == 3 ? -0.3 : 0.0, 1};
        RigidVelocity motion;
        if (turns) motion = RigidVelocity::about(p, {a[0], a[1], a[2]}, dim);
        else motion.constant = {0.3, 1, dim == 3 ? 0.2 : 0.0};
        double expected = 0;
        for (const int node : probe.blocks.mesh->find_region("lower_top")->nodes) {
          std::array<double, 3> x{}, f{};
          for (int i = 0; i < dim; ++i) {
            const int dof = probe.blocks.dofs->dof(node, i);
            x[i] = probe.at.X[std::size_t(node) * dim + i] + probe.at.u[dof] - p[i], f[i] = -r[dof];
          }
          if (dim == 2) x[2] = 0;
          for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            expected += turns ? a[i] * (x[j] * f[k] - x[k] * f[j]) : motion.constant[i] * f[i];
          }
        }
        probe.form = make_contact_force(probe.blocks.finder, probe.blocks.dofs, friction, motion);
        EXPECT_NEAR(probe.form->value(probe.state(probe.at)), expected, 1e-12 * std::abs(expected));
        const double slope = probe.form->value_jvp(probe.state(probe.at), probe.tangent(probe.d));
        const Inputs bar = probe.value_vjp(probe.at);
        EXPECT_NEAR(slope, dot(bar.joined(), probe.d.joined()), 1e-11 * std::abs(slope));
        EXPECT_NEAR(slope, probe.centred(probe.d, [&](const Inputs& x) { return Array{probe.form->value(probe.state(x))}; })[0], 1e-5 * std::abs(slope));
        const Array second = probe.reverse([&](FormCotangent& out) { probe.form->value_vjp_tangent(probe.state(probe.at), 1.0, probe.tangent(probe.d), out); }).joined();
        EXPECT_LE(largest(minus(second, probe.centred(probe.d, [&](const Inputs& x) { return probe.value_vjp(x).joined(); }))), by_differences * largest(second));
      }
}

// Forces and stiffness are zero if bodies are further apart than d̂.
TEST(PairForm, IsNothingAtADistance) {
  ContactProbe probe(TwoBlocks(2, {Shape::triangle, 1}, 4), true);
  probe.at.u.assign(probe.at.u.size(), 0.0);
  probe.at.p[1] = 0.99 * TwoBlocks::gap;
  EXPECT_EQ(largest(probe.residual(probe.at)), 0);
  EXPECT_EQ(largest(probe.jvp(probe.d)), 0);
}

}  // namespace
}  // namespace invar::contact_test
