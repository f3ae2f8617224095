#pragma once
#include <functional>
#include <string>
#include <vector>

#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar {

/// Quadrature degree for the tangent on straight cells: exact for linear elasticity.
int solid_degree(const Mesh& mesh, int order, SolidKind kind);

/// Position of the equations of bodies in the space of their case.
struct BodyEquations {
  SolidKind kind = SolidKind::spatial;
  bool mixed = false;
  int degree = 0;  // of quadrature
  bool may_move = false;  // the density may be given at rest, too, where it has no effect
  bool lumped = false;    // masses are integrated at the nodes
  /// The displacement, and with the pressure of the mixed formulation behind it, on the cells of a region.
  std::function<CellBatches(const std::string& region, int degree)> displacement, with_pressure;
  /// Wrapper for the forms of bodies before they are added to the equation; null: none.
  std::function<std::unique_ptr<WeakForm>(std::unique_ptr<WeakForm>)> tested = {};
  /// The mass of a region; its coefficient is the density.
  std::function<std::unique_ptr<WeakForm>(const std::string& region, int degree)> inertia;
};

/// Adds the forms of the materials of bodies to a case, for every physics with bodies.
class SolidMaterials : CaseBuilder {
 public:
  SolidMaterials(BodyEquations equations, const CaseBuilder& whole) : CaseBuilder(whole), at_(std::move(equations)) {}

  /// The law of a body; nothing after recording what is wrong.
  std::optional<MaterialPart> law(const spec::Value& m);
  /// Forms besides the elastic law, of processes in time: inertia, damping, stresses with history variables.
  void in_time(const spec::Value& m, MaterialPart& part);

 private:
  void moves(const spec::Value& m, const std::string& path, MaterialPart& part);
  void relaxes(const spec::Value& m, const std::string& path, MaterialPart& part);
  void yields(const spec::Value& m, const std::string& path, MaterialPart& part);
  int add(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, std::string name) {
    return residual_.add_form(at_.tested ? at_.tested(std::move(form)) : std::move(form), std::move(values), {.name = std::move(name)});
  }
  bool grows(const spec::Value& m, MaterialChoice& choice);
  void check_used(const spec::Value& m, const MaterialChoice& choice);
  void check_stable(const spec::Value& m, MaterialChoice choice, const std::vector<double>& constants);

  BodyEquations at_;
};

}  // namespace invar
