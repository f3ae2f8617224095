// Plastic flow at finite strain, at a point: closed forms of tension, the rate equations of simple shear, rotations, small strains.
#include "libfem/solid/finite_plastic_flow.hpp"
#include "libfem/solid/plastic_flow.hpp"
#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

constexpr double flow_young = 200, flow_poisson = 0.3, flow_shear = flow_young / (2 * (1 + flow_poisson));

/// A material point with a prescribed deformation history.
template <class Flow>
struct FlowingPoint {
  Flow flow;
  std::shared_ptr<const Material> law;
  std::vector<Pack> p;  // coefficients, history variables, length of the step

  FlowingPoint(Flow f, const char* name, const std::vector<double>& hardening) : flow(std::move(f)), law(make_material({.name = name})), p{flow_young, flow_poisson} {
    p.insert(p.end(), hardening.begin(), hardening.end());
    p.resize(flow.n_coefficients() + flow.n_memory(), Pack(0.0));
    p.push_back(Pack(1.0));
  }
  /// The first Piola-Kirchhoff stress at the end of a step to F; updates the history variables.
  Matrix3 to(const Matrix3& F) {
    const Matrix3 H = F - identity<double, 3>();
    std::array<Pack, 9> z;
    for (int k = 0; k < 9; ++k) z[k] = H.entries[k];
    PointGeometry<Pack, 3, 3> g{};
    g.measure = Pack(1.0);
    const auto flux = flow.flux(z, g, p.data());
    const PointResponse r = evaluate(*law, H, {flow_young, flow_poisson}, {true, true, false, false});
    Matrix3 P;
    for (int k = 0; k < 9; ++k) P.entries[k] = r.stress[k] + flux[k][0];
    std::vector<Pack> h(flow.n_memory());
    flow.update_memory(z, g, p.data(), h.data());
    std::copy(h.begin(), h.end(), p.begin() + flow.n_coefficients());
    return P;
  }
  double remembered(int k) const { return p[flow.n_coefficients() + k][0]; }
  double alpha() const { return remembered(flow.n_memory() - 1); }
};

auto finite_point(double yield, double hardening, double saturation = 0, double rate = 0) {
  MaterialChoice choice{.name = "hencky"};
  choice.formulation = Formulation::isochoric;
  return FlowingPoint(FinitePlasticFlow<SpatialKinematics>{std::shared_ptr<const Material>(make_material(choice))}, "hencky", {yield, hardening, saturation, rate});
}
Matrix3 pulled(double along, double across) { return {std::exp(along), 0, 0, 0, std::exp(across), 0, 0, 0, std::exp(across)}; }
double distance(const Matrix3& a, const Matrix3& b) {
  const Matrix3 d = a - b;
  return std::sqrt(inner(d, d));
}

// Kirchhoff's stress is the yield stress, the logarithmic strain its elastic part and α; across −ν and −½ of these. However
// long the steps, to five times the length, and back.
TEST(FinitePlasticFlow, TensionIsTheTextbooks) {
  const auto yield = [](double alpha) { return 3 + 4 * alpha + 2 * (1 - std::exp(-6 * alpha)); };
  auto point = finite_point(3, 4, 2, 6);
  const auto at = [&](double tau, double plastic) { return pulled(tau / flow_young + plastic, -flow_poisson * tau / flow_young - 0.5 * plastic); };
  for (const double alpha : {0.01, 0.3, 0.5, 1.6}) {
    const double tau = yield(alpha);
    const Matrix3 F = at(tau, alpha), P = point.to(F);
    EXPECT_NEAR(P(0, 0) * F(0, 0), tau, 1e-11 * tau);
    EXPECT_NEAR(P(1, 1), 0, 1e-11 * tau);
    EXPECT_NEAR(P(2, 2), 0, 1e-11 * tau);
    EXPECT_NEAR(point.alpha(), alpha, 1e-12);
  }
  const Matrix3 F = at(-2, 1.6), P = point.to(F);  // elastic
  EXPECT_NEAR(P(0, 0) * F(0, 0), -2, 1e-11);
  EXPECT_NEAR(point.alpha(), 1.6, 1e-12);
  const double tau = -yield(2.0);  // pressed beyond the yield stress by a plastic strain of −0.4
  const Matrix3 G = at(tau, 1.2), Q = point.to(G);
  EXPECT_NEAR(Q(0, 0) * G(0, 0), tau, 1e-11 * yield(2.0));
  EXPECT_NEAR(Q(1, 1), 0, 1e-10);
  EXPECT_NEAR(point.alpha(), 2.0, 1e-12);
}

// A rotation Q of the observer rotates the stress, P(Q F) = Q P(F); a rotation R of the unloaded isotropic body gives P(F R) = P(F) R.
TEST(FinitePlasticFlow, RotationsDoNoWork) {
  std::mt19937 generator(5);
  auto point = finite_point(1, 5), turned = finite_point(1, 5), started = finite_point(1, 5);
  const Matrix3 R = random_rotation(generator);
  Matrix3 F = identity<double, 3>();
  for (int step = 0; step < 6; ++step) {
    F = (identity<double, 3>() + random_matrix(generator, 0.12)) * F;
    const Matrix3 Q = random_rotation(generator), P = point.to(F);
    EXPECT_LT(distance(turned.to(Q * F), Q * P), 1e-11);
    EXPECT_LT(distance(started.to(F * R), P * R), 1e-11);
    EXPECT_NEAR(turned.alpha(), point.alpha(), 1e-13);
    EXPECT_NEAR(started.alpha(), point.alpha(), 1e-13);
    const Matrix3 metric{1 + point.remembered(0), point.remembered(3), point.remembered(5), point.remembered(3), 1 + point.remembered(1), point.remembered(4),
                         point.remembered(5), point.remembered(4), 1 + point.remembered(2)};
    EXPECT_NEAR(det(metric), 1, 1e-13);
  }
  EXPECT_GT(point.alpha(), 0.2);
}

// To the first order in the strain it is the law of small strains.
TEST(FinitePlasticFlow, SmallStrainsAreTheOtherLaws) {
  std::mt19937 generator(9);
  std::vector<Matrix3> path;
  for (int step = 0; step < 5; ++step) path.push_back(random_matrix(generator, 1));
  std::array<double, 2> apart{};
  for (int k = 0; k < 2; ++k) {
    const double size = k == 0 ? 1e-4 : 1e-5;
    auto finite = finite_point(100 * size, 20);
    FlowingPoint small(PlasticFlow<SpatialKinematics>{}, "linear_elastic", {100 * size, 20.0, 0.0, 0.0, 0.0});
    for (const Matrix3& H : path) {
      const Matrix3 F = identity<double, 3>() + size * H, P = small.to(F);
      apart[k] = std::max(apart[k], distance(finite.to(F), P) / std::sqrt(inner(P, P)));
    }
    EXPECT_GT(small.alpha(), 0.1 * size);
  }
  EXPECT_LT(apart[0], 20e-4);
  EXPECT_NEAR(apart[0] / apart[1], 10, 0.5);
}

/// The rate equations, by Runge and Kutta: ḃ = l b + b lᵀ − 2 γ̇ n b, γ̇ = n:l/(1 + H/(3 G)) from where it yields.
double sheared_by_rates(double yield, double hardening, double to, int steps) {
  using M = Eigen::Matrix3d;
  const auto strain = [](const M& b) {
    const Eigen::SelfAdjointEigenSolver<M> eigen(b);
    const Eigen::Vector3d logs = 0.5 * eigen.eigenvalues().array().log();
    const M e = eigen.eigenvectors() * logs.asDiagonal() * eigen.eigenvectors().transpose();
    return M(e - e.trace() / 3 * M::Identity());
  };
  M l = M::Zero();
  l(0, 1) = 1;
  // elastic up to the yield stress: b = F Fᵀ
  const auto elastic = [&](double shear) {
    const M F = M::Identity() + shear * l;
    return M(F * F.transpose());
  };
  double low = 0, high = to;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (2 * flow_shear * strain(elastic(middle)).norm() > std::sqrt(2.0 / 3) * yield ? high : low) = middle;
  }
  M b = elastic(low);
  const auto rate = [&](const M& at) {
    const M e = strain(at), n = e / e.norm();
    const double gamma = (n.transpose() * l).trace() / (1 + hardening / (3 * flow_shear));
    const M flown = n * at;
    return M(l * at + at * l.transpose() - gamma * (flown + flown.transpose()));
  };
  const double h = (to - low) / steps;
  for (int k = 0; k < steps; ++k) {
    const M a = rate(b), c = rate(b + 0.5 * h * a), d = rate(b + 0.5 * h * c), f = rate(b + h * d);
    b += h / 6 * (a + 2 * c + 2 * d + f);
  }
  return 2 * flow_shear * strain(b)(0, 1);  // Kirchhoff's shear stress
}

// In simple shear the axes of the strain turn: of first order in the step, and without an error in the limit.
TEST(FinitePlasticFlow, SimpleShearConvergesToTheRateEquations) {
  const double expected = sheared_by_rates(3, 10, 2, 4000);
  EXPECT_NEAR(sheared_by_rates(3, 10, 2, 2000), expected, 1e-8);
  std::vector<double> errors;
  for (const int steps : {50, 100, 200}) {
    auto point = finite_point(3, 10);
    double tau = 0;
    for (int k = 1; k <= steps; ++k) {
      Matrix3 F = identity<double, 3>();
      F(0, 1) = 2.0 * k / steps;
      tau = (point.to(F) * transpose(F))(0, 1);
    }
    errors.push_back(tau - expected);
  }
  EXPECT_LT(std::abs(errors[2]), 2e-3 * expected);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.15);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
  EXPECT_LT(std::abs(errors[0] - 6 * errors[1] + 8 * errors[2]) / 3, 5e-6 * expected);  // without the terms of first and second order
}

}  // namespace
}  // namespace invar::test
