#pragma once
#include <optional>

#include "libadjoint/maps/polar_numbers.hpp"
#include "libadjoint/path/unknown_number.hpp"

namespace invar {

/// The control α that a trim determines, and two further controls x = r cos α, y = r sin α if `polar` is given. D(d,
/// α): the controls d with α and these values.
class TrimNumber final : public UnknownNumber {
 public:
  TrimNumber(int number, std::optional<PolarNumbers> polar) : number_(number), polar_(std::move(polar)) {}

  /// D(d, value)
  Controls with(Controls d, double value) const {
    d[number_] = {value};
    if (polar_) {
      const auto [x, y] = PolarNumbers::values(d[polar_->radius][0], d[polar_->angle][0]);
      d[polar_->x] = {x}, d[polar_->y] = {y};
    }
    return d;
  }
  /// ∂D/∂α at the controls d.
  Controls movement_at(const Controls& d) const {
    Controls m(d.size());
    m[number_] = {1.0};
    if (polar_) {
      const auto [x, y] = PolarNumbers::jvp(d[polar_->radius][0], d[polar_->angle][0], 0, 1);
      m[polar_->x] = {x}, m[polar_->y] = {y};
    }
    return m;
  }
  /// Derivative of `movement_at` along α̇ = number_dot.
  Controls bend_at(const Controls& d, double number_dot) const {
    Controls m(d.size());
    m[number_] = {0.0};
    if (polar_) {
      const double turn = PolarNumbers::degree * PolarNumbers::degree * number_dot;
      m[polar_->x] = {-turn * d[polar_->x][0]}, m[polar_->y] = {-turn * d[polar_->y][0]};
    }
    return m;
  }
  /// ∂/∂α from derivatives by D, in which numbers are each rank's share of a sum. Collective.
  static double along(const Controls& movement, const Controls& d_bar, MPI_Comm comm) {
    double sum = 0;
    for (std::size_t k = 0; k < movement.size(); ++k)
      for (std::size_t i = 0; i < movement[k].size(); ++i) sum += movement[k][i] * d_bar[k][i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sum;
  }

  /// Sets d and α.
  void set(const Controls& d, double value, MPI_Comm comm) {
    comm_ = comm;
    effective_ = std::make_shared<const Controls>(d);
    set(value);
  }
  void set(double value) override {
    effective_ = std::make_shared<const Controls>(with(*effective_, value));
  }
  double value() const override { return (*effective_)[number_][0]; }
  const std::shared_ptr<const Controls>& effective() const override { return effective_; }
  Controls movement() const override { return movement_at(*effective_); }
  double pulled_back(const Controls& effective_bar) const override { return along(movement(), effective_bar, comm_); }

 private:
  int number_;
  std::optional<PolarNumbers> polar_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::shared_ptr<const Controls> effective_;
};

}  // namespace invar
