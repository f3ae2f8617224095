#pragma once
#include <vector>

#include "libadjoint/controls.hpp"

namespace invar {

/// Numbers v(d) on which coefficients of ties depend, such as coordinates of rigid nodes. The same on every rank; all calls are
/// collective.
class TieNumbers {
 public:
  virtual ~TieNumbers() = default;
  virtual std::vector<double> values(const Controls& d) const = 0;
  /// Whether ties with these numbers make sense.
  virtual bool admissible(const Controls&) const { return true; }
  virtual std::vector<double> rates(const Controls& d, const Controls& d_dot) const = 0;
  /// d_bar += (∂v/∂d)ᵀ bar. bar: the same on every rank.
  virtual void add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const = 0;
  /// The derivative of that when d varies along d_dot: d_bar_dot += (∂²v/∂d² d_dot)ᵀ bar.
  virtual void add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const = 0;
};

}  // namespace invar
