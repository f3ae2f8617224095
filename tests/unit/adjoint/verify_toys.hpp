#pragma once
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar::toy {

/// An implicit problem of two states and two variables,
///   r₀ = u₀³ + u₀ + θ₀ u₁ − θ₁ = 0,   r₁ = u₁ + θ₀² u₀ − sin θ₁ = 0,
///   J = ½ |u − (1, 2)|² + 0.05 |θ|²,
/// with its adjoint, tangent and second-order adjoint by hand. `gradient_error` and the like
/// perturb one of them relatively; states are solved to round-off.
struct Implicit : ReducedFunctional {
  double gradient_error = 0, tangent_error = 0, hessian_error = 0, hessian_asymmetry = 0;
  std::vector<double> lo{-infinity, -infinity}, up{infinity, infinity};
  double fails_above = infinity;  // of θ₀

  using V = Eigen::Vector2d;
  using M = Eigen::Matrix2d;
  static M k(const V& u, const V& t) {
    return (M() << 3 * u[0] * u[0] + 1, t[0], t[0] * t[0], 1).finished();
  }
  static M r_theta(const V& u, const V& t) {
    return (M() << u[1], -1, 2 * t[0] * u[0], -std::cos(t[1])).finished();
  }
  static V solve(const V& t) {
    V u(0, 0);
    for (int i = 0; i < 60; ++i) {
      const V r(u[0] * u[0] * u[0] + u[0] + t[0] * u[1] - t[1],
                u[1] + t[0] * t[0] * u[0] - std::sin(t[1]));
      u -= k(u, t).inverse() * r;
    }
    return u;
  }
  static V misfit(const V& u) { return u - V(1, 2); }

  MPI_Comm comm() const override { return MPI_COMM_WORLD; }
  DesignVector start() const override { return shared({0.4, 0.9}); }
  DesignVector lower() const override { return shared(lo); }
  DesignVector upper() const override { return shared(up); }
  std::vector<std::string> names() const override { return {"stiffness", "load"}; }

  Evaluation value(const DesignVector& x) override {
    const V t = to_eigen(x.shared);
    for (int i = 0; i < 2; ++i)
      if (t[i] < lo[static_cast<std::size_t>(i)] || t[i] > up[static_cast<std::size_t>(i)])
        return Evaluation::failure("outside the bounds");
    if (t[0] > fails_above) return Evaluation::failure("the stiffness is too large");
    return Evaluation::success(0.5 * misfit(solve(t)).squaredNorm() + 0.05 * t.squaredNorm());
  }
  Evaluation gradient(const DesignVector& x, DesignVector& g) override {
    const V t = to_eigen(x.shared), u = solve(t);
    const V lambda = -k(u, t).transpose().inverse() * misfit(u);
    V d = 0.1 * t + r_theta(u, t).transpose() * lambda;
    d[0] *= 1 + gradient_error;
    g = shared(to_std(d));
    return value(x);
  }
  Evaluation directional(const DesignVector& x, const DesignVector& v, double& d) override {
    const V t = to_eigen(x.shared), u = solve(t), w = to_eigen(v.shared);
    d = (0.1 * t.dot(w) - misfit(u).dot(k(u, t).inverse() * r_theta(u, t) * w)) *
        (1 + tangent_error);
    return value(x);
  }
  Evaluation hessian_action(const DesignVector& x, const DesignVector& v,
                            DesignVector& out) override {
    const V t = to_eigen(x.shared), u = solve(t), w = to_eigen(v.shared);
    const M inverse = k(u, t).inverse(), rt = r_theta(u, t);
    const V du = -inverse * rt * w, l = -inverse.transpose() * misfit(u);
    const M l_uu = (M() << 6 * u[0] * l[0], 0, 0, 0).finished();
    const M l_ut = (M() << 2 * t[0] * l[1], 0, l[0], 0).finished();
    const M l_tt = (M() << 2 * u[0] * l[1], 0, 0, std::sin(t[1]) * l[1]).finished();
    const V dl = -inverse.transpose() * (du + l_uu * du + l_ut * w);
    V h = 0.1 * w + l_ut.transpose() * du + l_tt * w + rt.transpose() * dl;
    h *= 1 + hessian_error;
    h[0] += hessian_asymmetry * w[1];
    out = shared(to_std(h));
    return value(x);
  }
};

}  // namespace invar::toy
