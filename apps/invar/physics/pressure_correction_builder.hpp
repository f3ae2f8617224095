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
  /// A load that prescribes the pressure outside.
  void add_outside(const std::string& region, ControlledValue pressure);
  /// Where the flow is open, the potential follows the changes of the pressures outside (StepResidual), or vanishes without any. After all
  /// conditions for the velocity.
  void hold_at_outlets();
  /// Warns of pressures outside that are not zero at the start if the initial pressure is. The scheme corrects the pressure step by step, and
  /// where viscosity is small the difference, which accelerates the flow, dies out slowly or not at all. After `FormResidual::finish`.
  /// Collective.
  void check_start();
  /// Whether a point or an outlet determines the level of the pressure. Collective.
  bool has_level() const;

 private:
  std::vector<std::vector<int>> open_nodes(const std::vector<std::string>& regions) const;

  FlowCase& flow_;
  bool holds_ = false;  // at a point
  std::vector<std::string> regions_;      // of loads
  std::vector<ControlledValue> outside_;  // their pressures
};

}  // namespace invar
