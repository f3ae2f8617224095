#pragma once
#include <optional>
#include <vector>

#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/physics/solid_materials.hpp"
#include "apps/invar/physics/turbulence_builder.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/fsi/interface.hpp"

namespace invar {

/// Fills the residual of fluid–structure interaction: boundary and initial values in fsi_boundary.cpp, loads in
/// fsi_loads.cpp, turbulence in fsi_turbulence.cpp, checks of the interface in fsi_checks.cpp, the rest in fsi_builder.cpp.
class FsiBuilder : CaseBuilder {
 public:
  /// order: of velocity and displacement.
  FsiBuilder(FsiCase& fsi, CaseModel& model, const CaseSections& sections, int order, Diagnostics& diagnostics);

  void fluid(const spec::Value& m);
  void body(const spec::Value& m);
  /// Every cell is of the fluid or of one body.
  void check_regions();
  /// Checks that parts share nodes wherever they touch.
  void check_interface();
  void boundary();
  void loads();
  void initial();
  using CaseBuilder::refuse_loads_on_prescribed;
  void add_equations(const spec::Value& physics);

 private:
  BodyEquations equations_of_body(int body) const;
  /// A form of solids, of the displacement and, of a body in the mixed formulation, its pressure; body −1: of loads.
  std::unique_ptr<WeakForm> with_velocity(std::unique_ptr<WeakForm> form, int body) const;
  void add_fluid();
  void add_scalar();
  void add_turbulence(const spec::Value& physics);
  /// Regions of facets of bodies and rigid parts in turbulent flow.
  std::vector<std::string> moving_walls() const;
  void check_chi(const spec::Value& support, const spec::Value& chi);
  void add_mesh(const spec::Value& physics);
  void add_densities();
  void check_wall(const spec::Value& support);
  void rest(const spec::Value& support, const char* word);
  void check_slides(const spec::Value& support);
  void prescribe_motion(const spec::Value& support);
  void hold_pressure(const spec::Value& support, const spec::Value& p);
  void volume_load(const SolidLoad& load, const spec::Value& l, const TermSetting& setting, const std::string& region);
  void facet_load(const spec::Value& l, const std::string& region);
  void load_of_fluid(const FlowLoad& load, const spec::Value& l, const std::string& region);
  /// Returns the coefficients.
  std::vector<ControlledValue> load_of_body(const SolidLoad& load, const spec::Value& l, const TermSetting& setting, CellBatches domain);
  void load_in_body(const SolidLoad& load, const spec::Value& l, const TermSetting& setting, const std::string& region);
  /// Whether the cells of a region lie in the fluid, and in bodies.
  struct Within {
    bool fluid = false, bodies = false;
  };
  Within cells_within(const std::string& region) const;
  bool touches_body(const std::string& region) const;
  /// The load of that type on the whole fluid, part of its equations; null: there is none.
  const spec::Value* load_on_fluid(std::string_view type);
  void scalar_load(const FlowLoad& load, const spec::Value& l);
  bool meets_fluid(const std::string& region, const spec::Value& c);
  int scalar() const { return model_.component(flow_component::scalar); }
  /// The components of the averaged or laminar flow on its moving mesh.
  std::vector<int> of_flow() const { return fsi_.turbulent ? at_.v_p_c_d(model_.component(flow_component::turbulence)) : at_.v_p_d(); }
  FlowModel flow_model() const { return {.law = fsi_.fluid.law, .stress_form = true, .turbulent = fsi_.turbulent}; }
  CellBatches cells(const std::string& region, int degree, std::vector<int> components) const {
    return CellBatches::on_cells(model_.dofs, region, degree, std::move(components));
  }

  FsiCase& fsi_;
  TurbulenceBuilder turbulence_;
  FsiComponents at_;
  int degree_, solid_degree_, mass_degree_;  // of quadrature in the fluid, of stresses in bodies, of masses and volume loads in bodies
  std::vector<std::string> at_rest_;         // regions with zero velocity and displacement
  std::vector<int> moduli_;  // controls that continuation scales: larger moduli reduce the deformation by the flow
};

}  // namespace invar
