#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// Observed numbers x after projection that removes some modes: y = M W x. W divides each number by its standard deviation; the rows
/// of M are orthonormal and orthogonal to the columns of W R, the modes. ½|y − M W d|² is then the minimum of ½|W (x − d − R a)|²
/// over the amplitudes a, as if they were fitted to the data d, with as many data fewer. M consists of the last rows of a product of
/// Householder reflections.
class WithoutModes final : public Observable {
 public:
  /// modes: R, [mode][number]; must be linearly independent (else std::invalid_argument). deviations: one per number.
  WithoutModes(std::shared_ptr<Observable> numbers, const std::vector<std::vector<double>>& modes, std::vector<double> deviations);

  /// M W d
  std::vector<double> reduced(const std::vector<double>& numbers) const;

  /// Mᵀ y: for y = M W (x − d) the differences from the data in standard deviations, after fitting the modes.
  std::vector<double> at_numbers(const std::vector<double>& y) const;

  /// Orthonormal vectors that complete the rows of M: they span W R.
  std::vector<std::vector<double>> removed() const;

  int size() const override { return numbers_->size() - static_cast<int>(reflections_.size()); }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// Mᵀ y, and W Mᵀ y.
  std::vector<double> reversed(const double* y) const;
  std::vector<double> spread(const double* y) const;
  void reflect(const std::vector<double>& v, std::vector<double>& x) const;

  std::shared_ptr<Observable> numbers_;
  std::vector<double> deviations_;
  std::vector<std::vector<double>> reflections_;  // unit vectors v of I − 2 v vᵀ, zero before their own entry
};

}  // namespace invar
