#pragma once
#include <string>
#include <vector>

#include "apps/invar/physics/physics_model.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_fields.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

class WallDistance;

/// Names of a flow's unknowns besides the velocity.
namespace flow_component {
inline constexpr const char* pressure = "p";
inline constexpr const char* scalar = "c";       // passive scalar
inline constexpr const char* turbulence = "chi";
inline constexpr const char* potential = "phi";  // of a pressure correction
}  // namespace flow_component

/// One fluid on one region.
struct FluidPart {
  std::string name, region;               // region empty: everywhere
  std::string law_name;                   // "newtonian", …
  ViscosityLaw law;
  std::vector<ControlledValue> constants; // density, the law's parameters
  ControlledValue resistance;
  ControlledValue diffusivity;            // of the passive scalar, if there is one
  // with a turbulence model: factor of the production, SpalartAllmarasConstants
  std::vector<ControlledValue> turbulence;
  int form_count = 0;                     // of its equations: one for each kind of cell
};

/// A case of flow.
class FlowCase final : public PhysicsModel {
 public:
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  bool convection = true, stress_form = false;
  double grad_div = 0;                    // Pa s
  bool linearised = false;                // convection is a separate form
  bool splits = false;                    // pressure correction: velocity and pressure are solved separately
  bool scalar = false;                    // there is a passive scalar
  bool turbulent = false;                 // Spalart–Allmaras
  std::shared_ptr<WallDistance> wall_distance; // where it is modelled
  int turbulence_form = -1;               // the first of its transport
  bool density_on_facets = false;         // a load on a boundary reads it
  bool viscosity_on_facets = false;       // a force reads it
  std::string slip;                       // a load that penalises flow through a wall; empty: none
  std::string changing_traction;          // with pressure correction: a traction that varies in time; empty: none
  std::vector<FluidPart> parts;           // their equations are the residual's first forms
  std::vector<std::string> walls;         // regions with zero velocity
  std::vector<std::string> streams;       // regions where a free stream is prescribed
  int degree = 0, facet_degree = 0;       // of quadrature

  FlowModel model(const FluidPart& part) const { return {part.law, convection && !linearised, stress_form, grad_div, turbulent}; }

  /// Whether the equations of a fluid without convection have a constant matrix in all time steps.
  bool is_linear(const FluidPart& part, bool in_time) const {
    return in_time && !model(part).convection && part.law.kind == ViscosityLaw::Kind::newtonian;
  }

  bool axisymmetric() const override { return kind == FlowKind::axisymmetric; }
  std::string region_of_material(const std::string& name) const override;
  std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<std::string> warnings(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state) const override;
  std::optional<std::shared_ptr<Observable>> quantity(CaseModel& model, const spec::Value& record,
                                                      Diagnostics& diagnostics) const override;
  Measurement measurement(CaseModel& model, const spec::Value& record, double time, Diagnostics& diagnostics) const override;
  void describe(DesignCase& c) const override;
  bool corrects_pressure() const override { return splits; }
  Continued continued() const override { return {"viscosity", "the viscosity"}; }
  bool pressure_has_no_level() const override { return true; }
  std::string why_no_field(int control) const override;
  bool warm_starts() const override { return true; }
  bool begins_on_linear_elements(const CaseModel& model) const override;
  /// They do not include the unsteady term; `auto` uses them for steady flow in 3-D only.
  std::shared_ptr<SaddlePoint> blocks(const CaseModel& model, bool only_if_they_pay) const override;
  std::string advice_if_singular() const override { return "prescribe the velocity or the pressure on more of the boundary"; }
};

/// Names walls of turbulent flow whose first cells are too thick, with their largest y+. coordinates: of the nodes, where they are in this state.
std::vector<std::string> coarse_walls(const CaseModel& model, const double* u, const double* coordinates, FlowKind kind, const std::vector<std::string>& walls,
                                      std::span<const FlowFields::Fluid> fluids);
/// The fluids of a flow with the present values of their laws' parameters.
std::vector<FlowFields::Fluid> fluids_of(FormResidual& residual, const Setting& given, const std::vector<FluidPart>& parts);

}  // namespace invar
