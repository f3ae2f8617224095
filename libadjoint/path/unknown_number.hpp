#pragma once
#include <memory>

#include "libadjoint/controls.hpp"

namespace invar {

/// A number λ that is found together with the state. The equation and all that is observed see the effective controls
/// D(d, λ).
class UnknownNumber {
 public:
  virtual ~UnknownNumber() = default;
  /// λ, of which `value`, `effective` and the derivatives below are.
  virtual void set(double value) = 0;
  virtual double value() const = 0;
  /// D(d, λ)
  virtual const std::shared_ptr<const Controls>& effective() const = 0;
  /// ∂D/∂λ
  virtual Controls movement() const = 0;
  /// ∂/∂λ from ∂/∂D, of which numbers are shares of a sum over ranks. Collective.
  virtual double pulled_back(const Controls& effective_bar) const = 0;
};

}  // namespace invar
