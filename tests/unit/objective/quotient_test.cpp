#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "libfem/objective/quotient.hpp"
#include "libfem/objective/weighted_sum.hpp"

namespace invar {
namespace {

using Pair = std::array<double, 2>;

/// y_k = ½ d s_k u_k² of a state of two numbers and one control d, with derivatives by hand.
class Squares final : public Observable {
 public:
  explicit Squares(std::vector<Pair> weights) : weights_(std::move(weights)) {}
  int size() const override { return static_cast<int>(weights_.size()); }
  void evaluate(const EvaluationPoint& u, double* y) override {
    const Pair x = read(u);
    for (int k = 0; k < size(); ++k) y[k] = 0.5 * d(u) * (weights_[k][0] * x[0] * x[0] + weights_[k][1] * x[1] * x[1]);
  }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override {
    const Pair x = read(u), v = u_dot ? read(u_dot) : Pair{};
    std::vector<double> y(weights_.size());
    evaluate(u, y.data());
    for (int k = 0; k < size(); ++k)
      y_dot[k] = d(u) * (weights_[k][0] * x[0] * v[0] + weights_[k][1] * x[1] * v[1]) + (d_dot ? y[k] / d(u) * (*d_dot)[0][0] : 0.0);
  }
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override {
    const Pair x = read(u);
    std::vector<double> y(weights_.size());
    evaluate(u, y.data());
    for (int k = 0; k < size(); ++k) {
      if (u_bar)
        for (int i = 0; i < 2; ++i) add(u_bar, i, y_bar[k] * d(u) * weights_[k][i] * x[i]);
      if (d_bar) (*d_bar)[0][0] += y_bar[k] * y[k] / d(u);
    }
  }
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot, const State& u_bar_dot,
                   Controls* d_bar_dot) override {
    const Pair x = read(u), v = read(u_dot);
    const double w = (*d_dot)[0][0];
    for (int k = 0; k < size(); ++k)
      for (int i = 0; i < 2; ++i) {
        const double s = weights_[k][i];
        add(u_bar_dot, i, y_bar_dot[k] * d(u) * s * x[i] + y_bar[k] * s * (w * x[i] + d(u) * v[i]));
        (*d_bar_dot)[0][0] += y_bar_dot[k] * 0.5 * s * x[i] * x[i] + y_bar[k] * s * x[i] * v[i];
      }
  }
  double fixed = 0;  // the control, where it is not zero

 private:
  double d(const EvaluationPoint& u) const { return fixed != 0 ? fixed : u.controls()[0][0]; }
  static Pair read(Vec u) {
    const double* a = nullptr;
    check(VecGetArrayRead(u, &a));
    const Pair x{a[0], a[1]};
    check(VecRestoreArrayRead(u, &a));
    return x;
  }
  static void add(Vec u, int i, double v) {
    double* a = nullptr;
    check(VecGetArray(u, &a));
    a[i] += v;
    check(VecRestoreArray(u, &a));
  }
  std::vector<Pair> weights_;
};

VecHandle vec(const Pair& x) {
  VecHandle v;
  check(VecCreateSeq(PETSC_COMM_SELF, 2, v.out()));
  double* a = nullptr;
  check(VecGetArray(v, &a));
  a[0] = x[0], a[1] = x[1];
  check(VecRestoreArray(v, &a));
  return v;
}

Setting with_control(double d) { return {std::make_shared<const Controls>(Controls{{d}})}; }

double dot(Vec a, Vec b) {
  double s = 0;
  check(VecDot(a, b, &s));
  return s;
}

/// First derivatives against differences of the value, second ones against differences of the first.
void expect_consistent(Observable& y, double d) {
  const Pair x{0.7, -1.3}, v{0.4, 0.9};
  const double w = 0.6, h = 1e-5, y_bar = 1.7, y_bar_dot = -0.8;
  const Controls direction{{w}};
  VecHandle u_dot = vec(v), state;
  const auto at = [&](double t) {
    state = vec({x[0] + t * v[0], x[1] + t * v[1]});
    return EvaluationPoint(state, with_control(d + t * w));
  };
  double plus = 0, minus = 0, derivative = 0;
  y.evaluate(at(h), &plus);
  y.evaluate(at(-h), &minus);
  y.jvp(at(0), u_dot, &direction, &derivative);
  EXPECT_NEAR(derivative, (plus - minus) / (2 * h), 1e-9);

  const auto gradient = [&](double t, double seed) {
    VecHandle u_bar = vec({0, 0});
    Controls d_bar{{0.0}};
    y.vjp(at(t), &seed, u_bar, &d_bar);
    double parts[2];
    check(VecDot(u_bar, vec({1, 0}), &parts[0]));
    check(VecDot(u_bar, vec({0, 1}), &parts[1]));
    return std::array<double, 3>{parts[0], parts[1], d_bar[0][0]};
  };
  const auto g = gradient(0, 1.0);
  EXPECT_NEAR(g[0] * v[0] + g[1] * v[1] + g[2] * w, derivative, 1e-13);
  const auto ahead = gradient(h, y_bar + h * y_bar_dot), behind = gradient(-h, y_bar - h * y_bar_dot);
  VecHandle u_bar_dot = vec({0, 0});
  Controls d_bar_dot{{0.0}};
  y.vjp_tangent(at(0), &y_bar, &y_bar_dot, u_dot, &direction, u_bar_dot, &d_bar_dot);
  EXPECT_NEAR(dot(u_bar_dot, vec({1, 0})), (ahead[0] - behind[0]) / (2 * h), 1e-8);
  EXPECT_NEAR(dot(u_bar_dot, vec({0, 1})), (ahead[1] - behind[1]) / (2 * h), 1e-8);
  EXPECT_NEAR(d_bar_dot[0][0], (ahead[2] - behind[2]) / (2 * h), 1e-8);
}

TEST(Quotient, DerivativesAreThoseOfTheValue) {
  auto a = std::make_shared<Squares>(std::vector<Pair>{{1, 0.3}}), b = std::make_shared<Squares>(std::vector<Pair>{{0.2, 2}});
  b->fixed = 0.9;  // stays: only the numerator reads the control
  struct Fixed final : Observable {
    explicit Fixed(std::shared_ptr<Squares> s) : of(std::move(s)) {}
    std::shared_ptr<Squares> of;
    int size() const override { return 1; }
    void evaluate(const EvaluationPoint& u, double* y) override { of->evaluate(u, y); }
    void jvp(const EvaluationPoint& u, const State& u_dot, const Controls*, double* y_dot) override { of->jvp(u, u_dot, nullptr, y_dot); }
    void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls*) override { of->vjp(u, y_bar, u_bar, nullptr); }
    void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls*, const State& u_bar_dot,
                     Controls*) override {
      const Controls still{{0.0}};
      Controls ignored{{0.0}};
      of->vjp_tangent(u, y_bar, y_bar_dot, u_dot, &still, u_bar_dot, &ignored);
    }
  };
  const std::shared_ptr<FunctionOf> quotient = make_quotient(a, std::make_shared<Fixed>(b));
  FunctionOf& y = *quotient;
  double value = 0;
  y.evaluate({vec({1, 2}), with_control(1.5)}, &value);
  EXPECT_NEAR(value, 1.5 * (1 + 1.2) / (0.9 * (0.2 + 8)), 1e-14);
  expect_consistent(y, 1.5);
}

TEST(WeightedSum, DerivativesAreThoseOfTheValue) {
  auto parts = std::make_shared<Squares>(std::vector<Pair>{{1, 0.3}, {0.2, 2}});
  WeightedSum y(parts, {2, -0.5});
  double value = 0;
  y.evaluate({vec({1, 2}), with_control(1.5)}, &value);
  EXPECT_NEAR(value, 0.75 * (2 * 2.2 - 0.5 * 8.2), 1e-14);
  expect_consistent(y, 1.5);
  EXPECT_THROW(WeightedSum(parts, {1}), std::invalid_argument);
}

}  // namespace
}  // namespace invar
