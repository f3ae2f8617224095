#pragma once
#include <memory>

#include "libadjoint/observable.hpp"

namespace invar {

/// y = a / b of two numbers: a mean over a region that may change its size.
class Quotient final : public Observable {
 public:
  Quotient(std::shared_ptr<Observable> numerator, std::shared_ptr<Observable> denominator)
      : a_(std::move(numerator)), b_(std::move(denominator)) {}

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  std::shared_ptr<Observable> a_, b_;
};

}  // namespace invar
