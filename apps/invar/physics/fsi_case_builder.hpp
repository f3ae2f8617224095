#pragma once
#include <vector>

#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/problem/case_builder.hpp"

namespace invar {

/// Fills the residual of fluid–structure interaction: boundary, loads and initial values in fsi_boundary.cpp, what the spec
/// must not say of the interface in fsi_checks.cpp, the rest in fsi_builder.cpp.
class FsiBuilder : CaseBuilder {
 public:
  FsiBuilder(FsiCase& fsi, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

  void fluid(const spec::Value& m);
  void body(const spec::Value& m);
  /// Every cell is of the fluid or of the body.
  void check_regions() { check_covered({fsi_.fluid.region, fsi_.body.region}); }
  /// Fluid and body have nodes in common wherever they touch.
  void check_interface();
  void boundary();
  void loads();
  void initial();
  void add_equations(const spec::Value& physics);
  /// The equations determine the pressure of the fluid; they are finished.
  void check_pressure_level();

 private:
  void add_densities(const std::vector<ControlledValue>& body_constants);
  void check_used(const spec::Value& m, const std::vector<std::string_view>& known, const char* of);
  void check_wall(const spec::Value& support);
  void rest(const spec::Value& support, const char* word);
  void prescribe_motion(const spec::Value& support);
  void hold_pressure(const spec::Value& support, const spec::Value& p);
  void check_body_force(const spec::Value& load, const std::string& region);
  void muscle(const TermSpec& term, const spec::Value& load, const std::string& region);
  bool touches_body(const std::string& region) const;
  std::vector<ControlledValue> body_force_on(const std::string& region);
  CellBatches cells(const std::string& region, int degree, std::vector<int> components) const {
    return CellBatches::on_cells(model_.dofs, region, degree, std::move(components));
  }

  static constexpr int solid_degree = 4;  // as of a solid of second order
  FsiCase& fsi_;
  FsiComponents at_;
  int degree_ = solid_degree;
  std::vector<double> body_constants_;
  std::vector<ControlledValue> viscosities_;  // of the body; empty: it has none
  std::vector<int> moduli_;  // controls: the larger they are, the less does the flow bend the body
  const spec::Value* held_pressure_ = nullptr;
};

}  // namespace invar
