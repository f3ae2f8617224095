#pragma once
#include <memory>
#include <span>

#include "libadjoint/solve/multigrid_levels.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// A form of an equation and the state at which it is evaluated.
struct FormAt {
  const WeakForm* form;
  FormState at;
};

/// ∂r/∂u of an equation in place of an assembled matrix, with coarser levels for its solver.
class FormOperator {
 public:
  virtual ~FormOperator() = default;
  /// Represents Σ_k weights[k] ∂r/∂u_k of these forms from now on, wherever their state goes. Returns false if it cannot; the equation is
  /// then assembled for good. Collective.
  virtual bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) = 0;
  virtual Mat mat() const = 0;
  virtual std::shared_ptr<MultigridLevels> levels() const = 0;
};

}  // namespace invar
