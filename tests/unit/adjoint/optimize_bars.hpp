#pragma once
#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "libadjoint/reduced_functional.hpp"

namespace invar::toy {

/// n bars in series share a volume with one more part of size s:
///   min (1/n) Σ w_i / x_i + ½ (s − 2)²   s.t.   (1/n) Σ x_i + s / 10 ≤ (or =) volume,
/// x local to the ranks of `comm`, s shared. It fails where an x_i exceeds `wall`.
struct Bars : ReducedFunctional {
  MPI_Comm ranks;
  int n, first = 0, last = 0;  // all bars, and those of this rank
  double volume = 0.6, x_lower = 0.2, x_upper = 0.6, wall = HUGE_VAL, x_start = 0.3;
  bool equation = false;

  Bars(int bars, MPI_Comm comm) : ranks(comm), n(bars) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    first = static_cast<int>(1LL * n * rank / size);
    last = static_cast<int>(1LL * n * (rank + 1) / size);
  }
  static double weight(int i) {
    const double root = 0.1 + 0.001 * (7919 * i % 1000);
    return root * root;
  }
  /// The optimum: x_i = √(w_i / λ) within the bounds, s = 2 − λ / 10, with λ by bisection.
  std::vector<double> optimum() const {
    std::vector<double> x(static_cast<std::size_t>(n) + 1);
    double low = 1e-8, high = 20;
    for (int k = 0; k < 64; ++k) {  // to the last bit of λ
      const double multiplier = 0.5 * (low + high);
      double used = 0;
      for (int i = 0; i < n; ++i) {
        double& xi = x[static_cast<std::size_t>(i) + 1];
        xi = std::clamp(std::sqrt(weight(i) / multiplier), x_lower, x_upper);
        used += xi / n;
      }
      x[0] = 2 - multiplier / 10;
      (used + x[0] / 10 > volume ? low : high) = multiplier;
    }
    return x;  // s first
  }
  std::vector<double> field(double x) const {
    return std::vector<double>(static_cast<std::size_t>(last - first), x);
  }
  MPI_Comm comm() const override { return ranks; }
  DesignVector start() const override { return {{1.0}, field(x_start)}; }
  DesignVector lower() const override { return {{0.0}, field(x_lower)}; }
  DesignVector upper() const override { return {{10.0}, field(x_upper)}; }
  std::vector<std::string> names() const override { return {"s"}; }
  std::vector<ConstraintInfo> constraints() const override {
    return {{"volume", equation ? volume : -HUGE_VAL, volume, 1}};
  }
  Evaluation gradient(const DesignVector& t, DesignVector& g) override {
    g = DesignVector::zeros_like(t);
    double sum = 0;
    bool bad = false;
    for (int i = first; i < last; ++i) {
      const double x = t.local[static_cast<std::size_t>(i - first)];
      sum += weight(i) / x / n;
      g.local[static_cast<std::size_t>(i - first)] = -weight(i) / (x * x) / n;
      bad = bad || x > wall;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks);
    g.shared[0] = t.shared[0] - 2;
    if (bad) return Evaluation::failure("a bar is too thick");  // only this rank knows
    return Evaluation::success(sum + 0.5 * std::pow(t.shared[0] - 2, 2));
  }
  Evaluation value(const DesignVector& t) override {
    DesignVector g;
    return gradient(t, g);
  }
  Evaluation constraint_values(const DesignVector& t, std::vector<double>& c) override {
    double sum = 0;
    for (const double x : t.local) sum += x / n;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks);
    c = {sum + t.shared[0] / 10};
    return Evaluation::success(0);
  }
  Evaluation constraint_gradients(const DesignVector& t, std::vector<double>& c,
                                  std::vector<DesignVector>& gradients) override {
    gradients = {{{0.1}, field(1.0 / n)}};
    return constraint_values(t, c);
  }
  Evaluation directional(const DesignVector&, const DesignVector&, double&) override {
    return Evaluation::failure("not given");
  }
  Evaluation hessian_action(const DesignVector&, const DesignVector&, DesignVector&) override {
    return Evaluation::failure("not given");
  }
};

}  // namespace invar::toy
