#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/observable.hpp"
#include "libadjoint/solve/saddle_point.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/io/vtk_field.hpp"
#include "libfem/objective/measurement.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

struct CaseModel;
struct CaseSections;

/// Interface of a case's equations to the rest of the program, with one class per value of `physics.type`. Code for a single
/// physics uses `CaseModel::as`. `model` parameters are the case that owns this object.
class PhysicsModel {
 public:
  virtual ~PhysicsModel() = default;

  /// Integrals run over the full circle, x being the radius.
  virtual bool axisymmetric() const = 0;
  /// Region of a material; empty: everywhere.
  virtual std::string region_of_material(const std::string& name) const = 0;
  /// Output fields of a state at nodes and in cells.
  virtual std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const = 0;
  /// Warnings on a solved state, as sentences: where model or mesh are inadequate. Collective.
  virtual std::vector<std::string> warnings(const CaseModel&, const EvaluationPoint& /*state*/) const { return {}; }
  /// Volume of each cell of the rank (axisymmetric: of the ring); zero in cells without material.
  virtual std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state) const = 0;

  /// The number of a record of `objective`, `constraints` or `output.quantities` that this physics makes in its own
  /// way, as an observable of size 1 of what the process solves for, null after recording what is wrong; nothing: it is none of
  /// these. May add functionals to the case's residual.
  virtual std::optional<std::shared_ptr<Observable>> quantity(CaseModel&, const spec::Value&, Diagnostics&) const {
    return std::nullopt;
  }
  /// What a record of `output.quantities` names that is reported only (`Physics::quantities`), of the state at a time;
  /// empty after recording what is wrong.
  virtual Measurement measurement(CaseModel&, const spec::Value&, double /*time*/, Diagnostics&) const { return {}; }
  /// Measurements of every step of a process, by name: columns of steps/*.csv. Call before the first solve; may add functionals to
  /// the case's residual.
  virtual std::vector<std::pair<std::string, Measurement>> step_numbers(CaseModel&) const { return {}; }
  /// The field that pictures add to the coordinates by default; empty: none.
  virtual std::string deformation() const { return {}; }
  /// First letters of the vectors of the unknown ("u" of u_x, u_y, u_z) that are the displacement of material points and, where it is an unknown, too,
  /// their velocity; empty: there is none. Rigid parts, joints and tendons need a displacement.
  struct Motion {
    std::string displacement = {}, velocity = {};
  };
  virtual Motion motion() const { return {}; }
  /// Data of the physics for designs: writes `is_flow`, `resistance`, `slip`, `finite_shares`.
  virtual void describe(DesignCase&) const {}
  /// Whether the equations are split for schemes of pressure correction.
  virtual bool corrects_pressure() const { return false; }
  /// The parameter that `Setting::continuation` multiplies: its value of `solver.continuation` and its name in reports. For
  /// equations with this capability.
  struct Continued {
    std::string word = {}, what = "the continuation parameter";
  };
  virtual Continued continued() const { return {}; }
  /// Whether the mean pressure is subtracted in norms of errors.
  virtual bool pressure_has_no_level() const { return false; }
  /// Forms of the residual whose values add up to the stored energy; empty: it has none.
  virtual std::vector<int> stored_energy_forms() const { return {}; }
  /// The reason why a material constant cannot be a field of cells, as a sentence; empty: it can.
  virtual std::string why_no_field(int /*control*/) const { return {}; }
  /// Whether a rotation strains this material: its law is for small strains.
  virtual bool resists_rotation(const std::string& /*material*/) const { return false; }
  /// Why the potential energy is not known to be a convex quadratic function of the unknown without prescribed motion and, for any state, a concave one of
  /// the designed `control`; as the end of a sentence. Empty: it is, and the work of the loads at rest is a convex function of that control.
  virtual std::string why_not_quadratic(const CaseModel&, const CaseSections&, int /*control*/) const { return "its energy is not known to be quadratic"; }
  /// How a quantity of this physics' own depends on the designed density then, by its name.
  virtual InDensity in_density(std::string_view /*quantity*/) const { return InDensity::unknown; }
  /// The mean square of the unknown, whose root measures lengths along a path; null: paths are not for this physics.
  virtual std::shared_ptr<Observable> mean_square(CaseModel&) const { return nullptr; }

  // Properties for the choice of solvers.
  /// Solves begin at the last state: neighbouring problems have neighbouring solutions.
  virtual bool warm_starts() const { return false; }
  /// Whether large steady problems should start from the solution on linear elements.
  virtual bool begins_on_linear_elements(const CaseModel&) const { return false; }
  /// Whether all unknowns are second-order and of one kind, so that linear elements are a coarse space.
  virtual bool suits_multigrid(const CaseModel&) const { return false; }
  /// Blocks for a preconditioner of a saddle point; null: there are none. `only_if_they_pay`: for methods that may
  /// choose.
  virtual std::shared_ptr<SaddlePoint> blocks(const CaseModel&, bool /*only_if_they_pay*/) const { return nullptr; }
  /// Advice for states that constraints leave undetermined.
  virtual std::string advice_if_singular() const { return "prescribe more of the unknown on the boundary"; }
  /// Explains why and where a state is inadmissible, as the end of a sentence; empty: it is admissible.
  virtual std::function<std::string(const EvaluationPoint&)> explanation(const CaseModel&) const { return {}; }
};

}  // namespace invar
