#pragma once
#include <memory>

#include "libadjoint/controls.hpp"

namespace invar {

/// A number λ that is determined together with the state. The equation and all observables see the effective controls
/// D(d, λ).
class UnknownNumber {
 public:
  virtual ~UnknownNumber() = default;
  /// Sets λ, for `value`, `effective` and the derivatives below.
  virtual void set(double value) = 0;
  virtual double value() const = 0;
  /// D(d, λ)
  virtual const std::shared_ptr<const Controls>& effective() const = 0;
  /// ∂D/∂λ
  virtual Controls movement() const = 0;
  /// ∂/∂λ from derivatives by D, in which numbers are each rank's share of a sum. Collective.
  virtual double pulled_back(const Controls& effective_bar) const = 0;
};

}  // namespace invar
