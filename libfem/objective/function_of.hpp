#pragma once
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"

namespace invar {

/// y = f(a_1, …, a_n), a smooth function of observed numbers: coefficients, differences of means.
class FunctionOf final : public Observable {
 public:
  /// f at a [n], and its gradient [n] and Hessian [n × n].
  struct Expansion {
    double value = 0;
    std::vector<double> gradient, hessian;
  };
  using Function = std::function<Expansion(const std::vector<double>& a)>;
  /// arguments: observables of size 1.
  FunctionOf(std::vector<std::shared_ptr<Observable>> arguments, Function function)
      : arguments_(std::move(arguments)), function_(std::move(function)) {}

  /// f takes a std::array of n numbers, or of their duals.
  template <int N, class F>
  static std::shared_ptr<FunctionOf> make(const std::array<std::shared_ptr<Observable>, N>& arguments, F f) {
    return std::make_shared<FunctionOf>(std::vector<std::shared_ptr<Observable>>(arguments.begin(), arguments.end()),
                                        [f](const std::vector<double>& a) { return expand<N>(f, a); });
  }

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  template <int N, class F>
  static Expansion expand(const F& f, const std::vector<double>& a) {
    using First = Dual<double, N>;
    using Second = Dual<First, N>;
    std::array<Second, N> x;
    for (int i = 0; i < N; ++i) x[i] = Second::variable(First::variable(a[i], i), i);
    const Second y = f(x);
    Expansion e{y.value.value, std::vector<double>(N), std::vector<double>(std::size_t(N) * N)};
    for (int i = 0; i < N; ++i) {
      e.gradient[i] = y.value.grad[i];
      for (int j = 0; j < N; ++j) e.hessian[std::size_t(i) * N + j] = y.grad[i].grad[j];
    }
    return e;
  }
  Expansion at(const EvaluationPoint& u);
  std::vector<double> movement(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot);

  std::vector<std::shared_ptr<Observable>> arguments_;
  Function function_;
};

}  // namespace invar
