#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/solid_model.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"

namespace invar {

/// Places of the unknowns of fluid–structure interaction in the space, for a mesh of dimension dim: velocity of fluid and
/// body, displacement of body and mesh, pressure.
struct FsiComponents {
  int dim;
  int velocity(int i) const { return i; }
  int displacement(int i) const { return dim + i; }
  int pressure() const { return 2 * dim; }
  /// In the orders in which forms know them.
  std::vector<int> v() const { return run(0); }
  std::vector<int> d() const { return run(dim); }
  std::vector<int> v_d() const { return join(v(), d()); }
  std::vector<int> d_v() const { return join(d(), v()); }
  std::vector<int> v_p_d() const { return join(join(v(), {pressure()}), d()); }

 private:
  std::vector<int> run(int first) const;
  static std::vector<int> join(std::vector<int> a, const std::vector<int>& b);
};

/// A case of fluid–structure interaction: one fluid and one body.
class FsiCase final : public PhysicsModel {
 public:
  FlowKind kind = FlowKind::planar;
  FluidPart fluid;
  MaterialPart body;
  FsiQuantityCase::Forms forms;
  int fluid_form = -1, body_form = -1;  // of the residual: the fluid's flow, the body's law

  bool axisymmetric() const override { return false; }
  std::string region_of_material(const std::string& name) const override { return name == fluid.name ? fluid.region : body.region; }
  std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state) const override;
  std::optional<std::shared_ptr<Observable>> quantity(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics) const override;
  std::string deformation() const override { return "displacement"; }
  Continued continued() const override { return {"stiffness", "the body's moduli"}; }
  bool warm_starts() const override { return true; }
  /// Quality of the fluid's mesh.
  std::vector<std::pair<std::string, Measurement>> step_numbers(CaseModel& model) const override;
  std::function<std::string(const EvaluationPoint&)> explanation(const CaseModel& model) const override;
  std::string advice_if_singular() const override {
    return "clamp the body somewhere, and leave a boundary of the fluid open so that the level of its pressure is known";
  }
};

}  // namespace invar
