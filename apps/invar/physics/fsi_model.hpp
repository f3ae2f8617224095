#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/solid_model.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"

namespace invar {

class MovedWalls;

/// Positions of the unknowns of fluid–structure interaction in the space, for a mesh of dimension dim: velocity of fluid and
/// bodies, displacement of bodies and mesh, pressure of the fluid, pressures of bodies in the mixed formulation, last the scalar or χ, if there is one.
struct FsiComponents {
  int dim;
  int velocity(int i) const { return i; }
  int displacement(int i) const { return dim + i; }
  int pressure() const { return 2 * dim; }
  int pressure_of_body(int k) const { return 2 * dim + 1 + k; }
  /// In the orders that forms need.
  std::vector<int> v() const { return run(0); }
  std::vector<int> d() const { return run(dim); }
  std::vector<int> v_d() const { return join(v(), d()); }
  std::vector<int> v_p_d() const { return join(join(v(), {pressure()}), d()); }
  /// c: the number of the scalar, or of χ in turbulent flow.
  std::vector<int> v_p_c_d(int c) const { return join(join(v(), {pressure(), c}), d()); }
  static std::vector<int> join(std::vector<int> a, const std::vector<int>& b);

 private:
  std::vector<int> run(int first) const;
};

/// A case of fluid–structure interaction: one fluid and some bodies.
class FsiCase final : public PhysicsModel {
 public:
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  bool mixed = false;                  // the bodies' formulation
  bool scalar = false;                 // the fluid carries one
  bool turbulent = false;              // Spalart–Allmaras
  std::shared_ptr<MovedWalls> moved_walls;  // of turbulent flow
  std::vector<std::string> walls;      // of turbulent flow: regions to which distances count
  FluidPart fluid;
  std::vector<MaterialPart> bodies;
  std::vector<AddedStress> muscles;
  std::vector<std::string> rigid_surfaces;  // regions of facets of rigid parts: of such without cells, or within bodies
  FsiQuantityCase::Forms forms;
  int fluid_form = -1;                 // of the residual: the first of the fluid's flow
  int degree = 0, facet_degree = 0;    // of quadrature in the fluid and on its boundary

  SolidKind solid_kind() const;
  std::vector<std::string> body_regions() const;
  /// Those of bodies and of surfaces of rigid parts, whose nodes are material points.
  std::vector<std::string> material_regions() const;

  bool axisymmetric() const override { return kind == FlowKind::axisymmetric; }
  void describe(DesignCase& c) const override { describe_shares(bodies, c); }
  std::string region_of_material(const std::string& name) const override;
  std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const override;
  /// Elements of displacements that lock, and walls whose first cells are too thick for the turbulence model.
  std::vector<std::string> warnings(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state) const override;
  std::optional<std::shared_ptr<Observable>> quantity(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics) const override;
  Measurement measurement(CaseModel& model, const spec::Value& record, double time, Diagnostics& diagnostics) const override;
  std::string deformation() const override { return "displacement"; }
  Motion motion() const override { return {.displacement = "d", .velocity = "v"}; }
  Continued continued() const override {
    return turbulent ? Continued{"stiffness and viscosity", "the bodies' moduli and the fluid's viscosity"} : Continued{"stiffness", "the bodies' moduli"};
  }
  bool resists_rotation(const std::string& material) const override { return invar::resists_rotation(bodies, material); }
  bool warm_starts() const override { return true; }
  /// Quality of the fluid's mesh.
  std::vector<std::pair<std::string, Measurement>> step_numbers(CaseModel& model) const override;
  std::function<std::string(const EvaluationPoint&)> explanation(const CaseModel& model) const override;
  std::string advice_if_singular() const override {
    const std::string of_scalar = scalar ? "prescribe c somewhere, " : "";
    return of_scalar + "clamp the bodies somewhere, support rigid parts by joints or 'stiffness', and leave a boundary of the fluid open, which determines the pressure level";
  }
};

}  // namespace invar
