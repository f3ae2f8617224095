#pragma once
#include <complex>

#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar::toy {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

/// A constrained problem of a few shared variables. Functions are given for complex arguments: the
/// imaginary part of f(x + ih) / h is the derivative to round-off for any tiny h.
struct ConstrainedFunction : Function {
  std::function<Complex(const ComplexVector&)> objective;
  std::function<ComplexVector(const ComplexVector&)> constraint;
  std::vector<ConstraintInfo> infos;
  double optimum = 0;         // published or analytic
  std::vector<double> minimiser;

  ConstrainedFunction(std::vector<double> start, std::function<Complex(const ComplexVector&)> fun,
                      std::vector<ConstraintInfo> info,
                      std::function<ComplexVector(const ComplexVector&)> con)
      : Function(std::move(start)), objective(std::move(fun)), constraint(std::move(con)),
        infos(std::move(info)) {
    f = [this](const Vector& x) { return objective(x.cast<Complex>()).real(); };
    g = [this](const Vector& x) -> Vector {
      Vector d(x.size());
      for (int j = 0; j < x.size(); ++j) d[j] = objective(perturbed(x, j)).imag() / tiny;
      return d;
    };
  }
  ConstrainedFunction(const ConstrainedFunction&) = delete;  // f and g refer to this

  std::vector<ConstraintInfo> constraints() const override { return infos; }
  Evaluation constraint_values(const DesignVector& t, std::vector<double>& c) override {
    const Vector x = to_eigen(t.shared);
    if (fails(x)) return Evaluation::failure("x is in the bad region");
    c = infos.empty() ? std::vector<double>{} : to_std(constraint(x.cast<Complex>()).real());
    return Evaluation::success(0);
  }
  Evaluation constraint_gradients(const DesignVector& t, std::vector<double>& c,
                                  std::vector<DesignVector>& gradients) override {
    const Evaluation e = constraint_values(t, c);
    if (!e.ok) return e;
    const Vector x = to_eigen(t.shared);
    gradients.assign(infos.size(), DesignVector::zeros_like(t));
    for (int j = 0; j < x.size(); ++j) {
      const ComplexVector d = constraint(perturbed(x, j));
      for (std::size_t i = 0; i < infos.size(); ++i)
        gradients[i].shared[static_cast<std::size_t>(j)] = d[static_cast<int>(i)].imag() / tiny;
    }
    return e;
  }

 private:
  static constexpr double tiny = 1e-40;
  static ComplexVector perturbed(const Vector& x, int j) {
    ComplexVector z = x.cast<Complex>();
    z[j] += Complex(0, tiny);
    return z;
  }
};

using Problem = std::unique_ptr<ConstrainedFunction>;

inline ComplexVector stack(std::initializer_list<Complex> values) {
  ComplexVector v(static_cast<int>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}
inline ConstraintInfo equal(double value) { return {"h", value, value, 1}; }
inline ConstraintInfo at_least(double value) { return {"g", value, infinity, 1}; }
inline ConstraintInfo at_most(double value) { return {"g", -infinity, value, 1}; }

/// Weight of a cantilever of five hollow boxes under its tip deflection (Svanberg 1987, first
/// example): published 1.340 at (6.016, 5.309, 4.494, 3.502, 2.153).
inline Problem cantilever() {
  auto p = std::make_unique<ConstrainedFunction>(
      std::vector<double>(5, 5.0), [](const ComplexVector& x) { return 0.0624 * x.sum(); },
      std::vector{at_most(1)}, [](const ComplexVector& x) {
        const double a[] = {61, 37, 19, 7, 1};
        Complex c = 0;
        for (int i = 0; i < 5; ++i) c += a[i] / (x[i] * x[i] * x[i]);
        return stack({c});
      });
  p->lo.assign(5, 1);
  p->up.assign(5, 10);
  // Analytic: x_i = (3 a_i λ/C)^¼ with the deflection at its limit, so Σ x ∝ (Σ a^¼)^(4/3).
  p->optimum = 0.0624 * std::pow(std::pow(61, .25) + std::pow(37, .25) + std::pow(19, .25) +
                                     std::pow(7, .25) + 1, 4. / 3);
  p->minimiser = {6.016, 5.309, 4.494, 3.502, 2.153};
  return p;
}

/// Two bars: cross-section x₁ and half the distance of the supports x₂, stress limits (Svanberg
/// 1987, second example): published 1.51 at (1.41, 0.38).
inline Problem two_bars() {
  auto p = std::make_unique<ConstrainedFunction>(
      std::vector<double>{1.5, 0.5},
      [](const ComplexVector& x) { return x[0] * std::sqrt(1.0 + x[1] * x[1]); },
      std::vector{at_most(1), at_most(1)}, [](const ComplexVector& x) {
        const Complex s = 0.124 * std::sqrt(1.0 + x[1] * x[1]);
        return stack({s * (8.0 / x[0] + 1.0 / (x[0] * x[1])), s * (8.0 / x[0] - 1.0 / (x[0] * x[1]))});
      });
  p->lo = {0.2, 0.1};
  p->up = {4.0, 1.6};
  // Analytic: on the first limit f = 0.124 (1 + x₂²)(8 + 1/x₂), least where 16 x³ + x² − 1 = 0.
  double x = 0.4;
  for (int k = 0; k < 50; ++k) x -= (16 * x * x * x + x * x - 1) / (48 * x * x + 2 * x);
  p->minimiser = {0.124 * std::sqrt(1 + x * x) * (8 + 1 / x), x};
  p->optimum = 0.124 * (1 + x * x) * (8 + 1 / x);
  return p;
}

/// Problems of Hock and Schittkowski, Test Examples for Nonlinear Programming Codes (1981), by
/// their number, with their start, minimiser and optimum.
inline Problem hock_schittkowski(int number) {
  using X = const ComplexVector&;
  const auto make = [](std::vector<double> start, std::function<Complex(X)> f,
                       std::vector<ConstraintInfo> infos, std::function<ComplexVector(X)> c,
                       double optimum, std::vector<double> minimiser) {
    auto p = std::make_unique<ConstrainedFunction>(std::move(start), std::move(f), std::move(infos),
                                                   std::move(c));
    p->optimum = optimum;
    p->minimiser = std::move(minimiser);
    return p;
  };
  const auto sq = [](Complex z) { return z * z; };
  switch (number) {
    case 6:
      return make({-1.2, 1}, [=](X x) { return sq(1.0 - x[0]); }, {equal(0)},
                  [=](X x) { return stack({10.0 * (x[1] - sq(x[0]))}); }, 0, {1, 1});
    case 7:
      return make({2, 2}, [=](X x) { return std::log(1.0 + sq(x[0])) - x[1]; }, {equal(0)},
                  [=](X x) { return stack({sq(1.0 + sq(x[0])) + sq(x[1]) - 4.0}); },
                  -std::sqrt(3.0), {0, std::sqrt(3.0)});
    case 26:
      return make({-2.6, 2, 2}, [=](X x) { return sq(x[0] - x[1]) + sq(sq(x[1] - x[2])); },
                  {equal(0)},
                  [=](X x) { return stack({(1.0 + sq(x[1])) * x[0] + sq(sq(x[2])) - 3.0}); }, 0,
                  {1, 1, 1});
    case 35: {
      auto p = make({.5, .5, .5},
                    [=](X x) {
                      return 9.0 - 8.0 * x[0] - 6.0 * x[1] - 4.0 * x[2] + 2.0 * sq(x[0]) +
                             2.0 * sq(x[1]) + sq(x[2]) + 2.0 * x[0] * x[1] + 2.0 * x[0] * x[2];
                    },
                    {at_most(3)}, [=](X x) { return stack({x[0] + x[1] + 2.0 * x[2]}); }, 1. / 9,
                    {4. / 3, 7. / 9, 4. / 9});
      p->lo.assign(3, 0);
      return p;
    }
    case 39:
      return make({2, 2, 2, 2}, [=](X x) { return -x[0]; }, {equal(0), equal(0)},
                  [=](X x) {
                    return stack({x[1] - sq(x[0]) * x[0] - sq(x[2]), sq(x[0]) - x[1] - sq(x[3])});
                  },
                  -1, {1, 1, 0, 0});
    case 40:
      return make({.8, .8, .8, .8}, [=](X x) { return -x.prod(); }, {equal(1), equal(0), equal(0)},
                  [=](X x) {
                    return stack({sq(x[0]) * x[0] + sq(x[1]), sq(x[0]) * x[3] - x[2], sq(x[3]) - x[1]});
                  },
                  -0.25, {std::pow(2, -1. / 3), std::pow(2, -.5), std::pow(2, -11. / 12), std::pow(2, -.25)});
    case 43:
      return make({0, 0, 0, 0},
                  [=](X x) {
                    return sq(x[0]) + sq(x[1]) + 2.0 * sq(x[2]) + sq(x[3]) - 5.0 * x[0] -
                           5.0 * x[1] - 21.0 * x[2] + 7.0 * x[3];
                  },
                  {at_most(8), at_most(10), at_most(5)},
                  [=](X x) {
                    const Complex s = sq(x[0]) + sq(x[1]) + sq(x[2]) + sq(x[3]);
                    return stack({s + x[0] - x[1] + x[2] - x[3],
                                  s + sq(x[1]) + sq(x[3]) - x[0] - x[3],
                                  s + sq(x[0]) - sq(x[3]) + 2.0 * x[0] - x[1] - x[3]});
                  },
                  -44, {0, 1, 2, -1});
    case 71: {
      auto p = make({1, 5, 5, 1},
                    [=](X x) { return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]; },
                    {at_least(25), equal(40)},
                    [=](X x) { return stack({x.prod(), sq(x[0]) + sq(x[1]) + sq(x[2]) + sq(x[3])}); },
                    17.0140173, {1, 4.7429994, 3.8211503, 1.3794082});
      p->lo.assign(4, 1);
      p->up.assign(4, 5);
      return p;
    }
    case 100:
      return make({1, 2, 0, 4, 0, 1, 1},
                  [=](X x) {
                    return sq(x[0] - 10.0) + 5.0 * sq(x[1] - 12.0) + sq(sq(x[2])) +
                           3.0 * sq(x[3] - 11.0) + 10.0 * sq(sq(x[4])) * sq(x[4]) + 7.0 * sq(x[5]) +
                           sq(sq(x[6])) - 4.0 * x[5] * x[6] - 10.0 * x[5] - 8.0 * x[6];
                  },
                  {at_most(127), at_most(282), at_most(196), at_most(0)},
                  [=](X x) {
                    return stack({2.0 * sq(x[0]) + 3.0 * sq(sq(x[1])) + x[2] + 4.0 * sq(x[3]) + 5.0 * x[4],
                                  7.0 * x[0] + 3.0 * x[1] + 10.0 * sq(x[2]) + x[3] - x[4],
                                  23.0 * x[0] + sq(x[1]) + 6.0 * sq(x[5]) - 8.0 * x[6],
                                  4.0 * sq(x[0]) + sq(x[1]) - 3.0 * x[0] * x[1] + 2.0 * sq(x[2]) +
                                      5.0 * x[5] - 11.0 * x[6]});
                  },
                  680.6300573,
                  {2.330499, 1.951372, -0.4775414, 4.365726, -0.6244870, 1.038131, 1.594227});
  }
  throw std::invalid_argument("no such problem here");
}

}  // namespace invar::toy
