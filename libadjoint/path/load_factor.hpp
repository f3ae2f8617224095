#pragma once
#include <memory>
#include <vector>

#include "libadjoint/path/unknown_number.hpp"
#include "libadjoint/residual.hpp"

namespace invar {

/// A factor λ of some numbers m among the controls d of an equation. If λ is an unknown, the equation and all
/// observables see the effective controls D(d, λ): λ m in place of each m, and the other controls unchanged.
class LoadFactor final : public UnknownNumber {
 public:
  /// `scaled`: positions of controls that are numbers. Throws std::invalid_argument if one is not a number, or occurs
  /// twice.
  LoadFactor(std::shared_ptr<Residual> residual, std::vector<int> scaled);

  /// Sets d, which contains the numbers m.
  void set_controls(std::shared_ptr<const Controls> d);
  void set(double lambda) override;
  double value() const override { return lambda_; }
  double lambda() const { return lambda_; }
  const std::shared_ptr<const Controls>& effective() const override { return effective_; }
  /// D(d, λ) for another λ.
  std::shared_ptr<const Controls> effective_at(double lambda) const;
  Controls movement() const override { return direction(nullptr, 1.0); }
  double pulled_back(const Controls& effective_bar) const override { return factor_bar(effective_bar); }

  // Derivatives of D at the present m and λ: forward, then reverse.

  /// D_dot along (d_dot, λ_dot); nullptr means zero.
  Controls direction(const Controls* d_dot, double lambda_dot) const;
  /// Zeros to accumulate ∂/∂D: for the entries wanted in d_bar, and for all scaled numbers.
  Controls wanted(const Controls* d_bar) const;
  /// ∂/∂λ from derivatives by D, in which numbers are each rank's share of a sum. Collective.
  double factor_bar(const Controls& effective_bar) const;
  /// d_bar += (∂D/∂d)ᵀ ∂/∂D
  void pull_back(const Controls& effective_bar, Controls& d_bar) const;

  // Derivatives of these two along (d_dot, λ_dot) while ∂/∂D changes by effective_bar_dot.

  double factor_bar_tangent(const Controls& effective_bar, const Controls& effective_bar_dot, const Controls& d_dot) const;
  void pull_back_tangent(const Controls& effective_bar, const Controls& effective_bar_dot, double lambda_dot,
                         Controls& d_bar_dot) const;

 private:
  double summed(double share) const;

  std::shared_ptr<Residual> residual_;
  std::vector<int> scaled_;
  std::shared_ptr<const Controls> controls_, effective_;  // d, D
  std::vector<double> magnitudes_;  // m, in the order of scaled_
  double lambda_ = 1;
};

}  // namespace invar
