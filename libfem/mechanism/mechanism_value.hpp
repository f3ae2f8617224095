#pragma once
#include "libadjoint/observable.hpp"

namespace invar {

/// One unknown of a mechanism, its value or a rate; evaluated on the rank that owns it.
class MechanismValue final : public Observable {
 public:
  MechanismValue(MPI_Comm comm, int unknown, Level level = Level::value) : comm_(comm), unknown_(unknown), level_(level) {}
  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& y, double* value) override { *value = read(y); }
  void jvp(const EvaluationPoint&, const State& y_dot, const Controls*, double* value_dot) override { *value_dot = read(y_dot); }
  void vjp(const EvaluationPoint&, const double* bar, const State& y_bar, Controls*) override { add(*bar, y_bar); }
  void vjp_tangent(const EvaluationPoint&, const double*, const double* bar_dot, const State&, const Controls*, const State& y_bar_dot,
                   Controls*) override {
    if (bar_dot) add(*bar_dot, y_bar_dot);
  }

 private:
  double read(const State& y) const;
  void add(double bar, const State& y_bar) const;

  MPI_Comm comm_;
  int unknown_;
  Level level_;
};

}  // namespace invar
