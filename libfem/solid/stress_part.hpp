#pragma once
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/stress_forms.hpp"

namespace invar {

/// A law, the coefficients of its stress, and its domain: cells, or `side_domains`.
struct StressPart {
  StressOf stress;
  std::vector<ControlledValue> coefficients;
  std::vector<CellBatches> domains;
  int form = -1;  // number of a form of the residual with these coefficients: see `integral_of_powers`
};

/// Adds the functionals ∫ (s/unit)^exponent of all parts to the residual, stores one form number per part, and returns their sum.
std::shared_ptr<Observable> integral_of_powers(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart>& parts, int exponent,
                                               const std::shared_ptr<const double>& unit);
/// The same of ∫ cosh(κ s) e^(−shift).
std::shared_ptr<Observable> integral_of_exponentials(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart>& parts, double sharpness,
                                                     const std::shared_ptr<const double>& shift);

/// The stress at all points of the parts, whose form numbers must be set.
std::vector<StressPoint> stress_points(FormResidual& residual, const std::vector<StressPart>& parts, const EvaluationPoint& u,
                                       CellsOf which = CellsOf::own);
/// The point of all ranks with the greatest relaxed stress. Collective.
StressPoint greatest_stress(FormResidual& residual, const std::vector<StressPart>& parts, const EvaluationPoint& u);

}  // namespace invar
