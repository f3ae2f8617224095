#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"

namespace invar {

/// Adds a turbulence model to a fluid; for laminar flow it only reports keys of turbulence as mistakes.
class TurbulenceBuilder : CaseBuilder {
 public:
  TurbulenceBuilder(bool turbulent, const CaseBuilder& whole) : CaseBuilder(whole), turbulent_(turbulent) {}

  /// The model's constants of a material, under its path.
  void constants(const spec::Value& material, const std::string& path, FluidPart& part);
  /// Reports constants of the model in a material that no case uses in turbulent flow.
  void refuse_constants(const spec::Value& material);
  /// χ at a part of the boundary: 0 at walls.
  void prescribe_at(const spec::Value& support, bool wall);
  /// χ at the start.
  void begin_at(const spec::Value& support, const std::string& region, const std::string& path);
  /// The regions of walls to which the distance counts: `of_case`, unless the spec names others.
  std::vector<std::string> walls(const spec::Value& physics, std::vector<std::string> of_case);
  /// Walls that are prescribed have χ = 0.
  void hold_at_wall(const std::string& region);
  /// Steady solves of the flow between these walls begin with a larger viscosity, and follow χ in pseudo-time.
  void begin_with_larger_viscosity(const std::vector<std::string>& walls, const FluidPart& part);
  /// Coefficients of a fluid's pseudo-mass that depend on the model.
  static std::vector<ControlledValue> of_pseudo_mass(const FluidPart& part);
  /// The coefficient of the averaged flow: c_v1.
  static ControlledValue eddy_damping(const FluidPart& part) { return part.turbulence[1 + SpalartAllmarasConstants::cv1]; }
  /// The equation of χ in all fluids. Walls are the no-slip regions, unless the spec names them.
  void transport(const spec::Value& physics, FlowCase& flow);

 private:
  bool is_negative_somewhere(const spec::Value& value, const spec::Value& support);

  bool turbulent_;
};

}  // namespace invar
