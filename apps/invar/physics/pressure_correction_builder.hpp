#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"

namespace invar {

/// Builds the additional equations of pressure correction.
class PressureCorrectionBuilder : CaseBuilder {
 public:
  PressureCorrectionBuilder(FlowCase& flow, const CaseBuilder& whole) : CaseBuilder(whole), flow_(flow) {}

  /// The equations of pressure and potential of a fluid.
  void add(const FluidPart& part);
  /// Prescribes the pressure at a point by a zero potential, i.e. zero correction there.
  void hold_at(const spec::Value& support, const spec::Value& pressure);
  /// The potential vanishes where the flow is open,
  void hold_at_outlets();
  /// and follows the changes of a load that prescribes the pressure outside (StepResidual).
  void follow(const std::string& region, ControlledValue pressure);
  /// Whether a point or an outlet determines the level of the pressure. Collective.
  bool has_level() const;

 private:
  std::vector<int> open_nodes(const std::string& within = {}) const;

  FlowCase& flow_;
  bool holds_ = false;  // at a point
  std::vector<std::string> followed_;  // regions of loads
};

}  // namespace invar
