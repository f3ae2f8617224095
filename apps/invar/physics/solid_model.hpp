#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/invar/physics/physics_model.hpp"
#include "libfem/contact/contact_quantities.hpp"
#include "libfem/form/at_nodes.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/added_stress.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/solid/solid_quantities.hpp"

namespace invar {

/// One material on one region, with the controls of its constants.
struct MaterialPart {
  std::string name, region;           // region empty: everywhere
  std::shared_ptr<const Material> material;
  std::unique_ptr<Material> unreduced;  // of a compressible law in plane stress: the law in space
  std::vector<int> controls;          // per material parameter
  std::vector<double> constants;      // at the start, as the form of the law has them
  int form = -1;                      // of the residual: its law
  ControlledValue density;            // of processes in time with inertia
  int plastic_form = -1, viscous_form = -1;  // of the residual: forms with history variables
  int branches = 0, degree = 0;       // of the latter; of quadrature
  std::vector<AddedStress> viscosity = {};   // in time
  bool has_history() const { return plastic_form >= 0 || viscous_form >= 0; }
};

/// Writes the bodies of a case, whose kind is given, into the form that their quantities need.
void describe_bodies(std::span<const MaterialPart> bodies, std::span<const AddedStress> muscles, const CaseModel& model, SolidQuantityCase& c);

/// A sentence where elements of displacements of that order lock in a body, else empty.
std::string locking(const MaterialPart& body, int order, const EvaluationPoint& u);

/// Writes `DesignCase::finite_shares` of bodies.
void describe_shares(const std::vector<MaterialPart>& parts, DesignCase& c);

/// Whether the law of a body of that name is for small strains; false for other names.
bool resists_rotation(const std::vector<MaterialPart>& parts, const std::string& material);

/// A case of an elastic body.
class SolidModel final : public PhysicsModel {
 public:
  SolidKind kind = SolidKind::spatial;
  bool mixed = false, lumped = false;  // lumped: masses are integrated at the nodes
  std::vector<MaterialPart> parts;    // in the order of the residual's first forms
  std::vector<ContactQuantityCase::Pair> contacts;
  std::vector<int> dead_load_forms;   // positions of dead loads among the residual's forms
  std::vector<AddedStress> muscles;

  /// A domain with the points at which masses are integrated.
  CellBatches mass_points(CellBatches domain) const { return lumped ? at_nodes(std::move(domain)) : domain; }
  /// The case in the form that contact quantities need.
  ContactQuantityCase contact_case(const CaseModel& model) const;

  bool axisymmetric() const override { return kind == SolidKind::axisymmetric; }
  void describe(DesignCase& c) const override { describe_shares(parts, c); }
  std::string region_of_material(const std::string& name) const override;
  std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state) const override;
  std::optional<std::shared_ptr<Observable>> quantity(CaseModel& model, const spec::Value& record,
                                                      Diagnostics& diagnostics) const override;
  Measurement measurement(CaseModel& model, const spec::Value& record, double time, Diagnostics& diagnostics) const override;
  std::vector<std::pair<std::string, Measurement>> step_numbers(CaseModel& model) const override;
  std::string deformation() const override { return "displacement"; }
  Motion motion() const override { return {.displacement = "u"}; }
  std::vector<std::string> warnings(const CaseModel& model, const EvaluationPoint& state) const override;
  std::vector<int> stored_energy_forms() const override;
  bool resists_rotation(const std::string& material) const override { return invar::resists_rotation(parts, material); }
  std::string why_not_quadratic(const CaseModel& model, const CaseSections& sections, int control) const override;
  InDensity in_density(std::string_view quantity) const override { return dependence_on_density(solid_quantities(), quantity); }
  std::shared_ptr<Observable> mean_square(CaseModel& model) const override;
  bool suits_multigrid(const CaseModel& model) const override;
  std::string advice_if_singular() const override { return "add supports; where displacements are prescribed on the whole boundary of an incompressible body, the pressure p needs its mean (ties, type mean)"; }
  std::function<std::string(const EvaluationPoint&)> explanation(const CaseModel& model) const override;
};

}  // namespace invar
