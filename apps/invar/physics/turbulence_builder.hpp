#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"

namespace invar {

/// Adds a turbulence model to a flow; for laminar flow it only reports keys of turbulence as mistakes.
class TurbulenceBuilder : CaseBuilder {
 public:
  TurbulenceBuilder(FlowCase& flow, const CaseBuilder& whole) : CaseBuilder(whole), flow_(flow) {}

  /// The model's constants of a material, under its path.
  void constants(const spec::Value& material, const std::string& path, FluidPart& part);
  /// Reports constants of the model in a material that no case uses in turbulent flow.
  void refuse_constants(const spec::Value& material);
  /// χ at a part of the boundary: 0 at walls.
  void prescribe_at(const spec::Value& support, bool wall);
  /// The equation of χ in all fluids. Walls are the no-slip regions, unless the spec names them.
  void transport(const spec::Value& physics);

 private:
  bool is_negative_somewhere(const spec::Value& value, const spec::Value& support);

  FlowCase& flow_;
};

}  // namespace invar
