#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// A signal Y(t) at measurement times t_i + s with an unknown clock offset s, a control that may be designed. Between the times of
/// the process Y is a cubic Hermite interpolant with slopes of parabolas through three neighbours: continuously differentiable in
/// s, third order.
/// Each step of the process contributes its share; the values are sums over all steps (`DataSet::sums_steps`). NaN if t_i + s is
/// outside the times of the process.
class ShiftedSamples final : public Observable {
 public:
  /// signal: an observable of size 1. shift: position of the control s [s]. grid: all times of the process, ascending, at least
  /// two. times: t_i.
  ShiftedSamples(std::shared_ptr<Observable> signal, int shift, std::vector<double> grid, std::vector<double> times, MPI_Comm comm);

  int size() const override { return static_cast<int>(times_.size()); }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// Weight of Y at the present time in the value at t_i + s, and its first two derivatives by s.
  struct Weight {
    double value = 0, slope = 0, bend = 0;
  };
  std::vector<Weight> weights(const EvaluationPoint& u) const;
  double shift_rate(const Controls* d_dot) const;
  void add_to_shift(double bar, Controls* d_bar) const;

  std::shared_ptr<Observable> signal_;
  int shift_;
  std::vector<double> grid_, times_;
  MPI_Comm comm_;
};

}  // namespace invar
