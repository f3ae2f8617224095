#pragma once
#include <optional>
#include <vector>

#include "apps/invar/physics/pressure_correction_builder.hpp"
#include "apps/invar/physics/turbulence_builder.hpp"
#include "libfluid/flow/flow_load_library.hpp"

namespace invar {

/// first, …, end − 1
std::vector<int> numbers_to(int first, int end);

/// Builds a case of flow, part by part; see `build_flow`.
class FlowBuilder : CaseBuilder {
 public:
  FlowBuilder(FlowCase& flow, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, false, diagnostics), flow_(flow), turbulence_(flow.turbulent, *this), correction_(flow, *this) {}

  void fluids();
  /// The form of the viscous stress. τ = μ ∇u differs from 2 μ ε by μ ∇uᵀ, whose divergence (∇u)ᵀ ∇μ vanishes only where μ is constant, and
  /// whose traction along a curved wall does not vanish where fluid slips.
  void choose_viscous_term(const spec::Value& given);
  void add_equations(const spec::Value& physics);
  void boundary();
  void loads();
  /// Prescribes the potential of a pressure correction at open boundaries. After boundary and loads.
  void hold_potential() {
    if (flow_.splits) correction_.hold_at_outlets();
  }
  /// Initial state of a process in time.
  void initial();
  /// An enclosed flow needs a value that determines the level of its pressure.
  void require_pressure_level();
  /// Checks that loads act, and that pressures fit the initial state. After `FormResidual::finish`.
  void check_loads() {
    refuse_loads_on_prescribed("velocity");
    if (flow_.splits) correction_.check_start();
  }
  /// The grad-div parameter that the spec gives, or the one of its boundary's velocities.
  void choose_grad_div(const spec::Value& given);

 private:
  void fluid(const spec::Value& m);
  /// Whether μ differs from place to place, or a design may make it differ.
  bool viscosity_varies() const;
  const spec::Value* volume_load_of(const FluidPart& part, const char* type);
  std::vector<ControlledValue> volume_load(const FluidPart& part, const char* type, int coefficient_count);
  void add_stabilised_inertia(const FluidPart& part);
  void carry_scalar();
  /// Boundary values given by 'speed' and 'angle'.
  void free_stream(const spec::Value& support);
  void follow_in_pseudo_time();
  void check_volume_load(const FlowLoad& load, const spec::Value& l, const std::string& region);
  std::optional<std::vector<ControlledValue>> density_for(const FlowLoad& load, const spec::Value& l);

  FlowCase& flow_;
  TurbulenceBuilder turbulence_;
  PressureCorrectionBuilder correction_;
  std::vector<int> viscosities_;  // controls that scale with the viscosity
};

}  // namespace invar
