#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

namespace invar {

struct CaseModel;

/// What a case's equations are, as the rest of the program sees them: one class for each word of `physics.type`. What
/// concerns one physics alone asks for it by `CaseModel::as`. Functions that take a model take the case that holds
/// this.
class PhysicsModel {
 public:
  virtual ~PhysicsModel() = default;

  /// Integrals run over the full circle, x being the radius.
  virtual bool axisymmetric() const = 0;
  /// Where a material is; empty: everywhere.
  virtual std::string region_of_material(const std::string& name) const = 0;
  /// What is written of a state: fields at nodes and in cells.
  virtual std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const = 0;
  /// What a user should know of a state that was solved, as sentences: where the model or the mesh does not hold.
  /// Collective.
  virtual std::vector<std::string> warnings(const CaseModel&, const EvaluationPoint& /*state*/) const { return {}; }
  /// Volume of each cell of the rank as the physics counts it; zero in cells that belong to nothing.
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
  /// What is noted of every step of a process, by name: columns of steps/*.csv. Before anything is solved; may add
  /// functionals to the case's residual.
  virtual std::vector<std::pair<std::string, Measurement>> step_numbers(CaseModel&) const { return {}; }
  /// The field that pictures add to the coordinates where nothing else is asked for; empty: none.
  virtual std::string deformation() const { return {}; }
  /// What ways to design ask of the physics: writes `is_flow`, `resistance`, `slip`, `finite_shares`.
  virtual void describe(DesignCase&) const {}
  /// The equations are split as schemes of pressure correction ask for.
  virtual bool corrects_pressure() const { return false; }
  /// What `Setting::continuation` multiplies: the word by which `solver.continuation` asks for it, and what reports call
  /// it. Of equations that have the capability.
  struct Continued {
    std::string word = {}, what = "the continuation parameter";
  };
  virtual Continued continued() const { return {}; }
  /// Norms of errors leave the mean of the pressure out.
  virtual bool pressure_has_no_level() const { return false; }
  /// Forms of the residual whose values add up to the stored energy; empty: it has none.
  virtual std::vector<int> stored_energy_forms() const { return {}; }
  /// Why a constant of a material can be no field of cells, as a sentence; empty: it can.
  virtual std::string why_no_field(int /*control*/) const { return {}; }
  /// The mean square of the unknown, whose root measures lengths along a path; null: paths are not for this physics.
  virtual std::shared_ptr<Observable> mean_square(CaseModel&) const { return nullptr; }

  // What solvers want to know.
  /// Solves begin at the last state: neighbouring problems have neighbouring solutions.
  virtual bool warm_starts() const { return false; }
  /// Steady problems begin better at the solution on linear elements, where they are large.
  virtual bool begins_on_linear_elements(const CaseModel&) const { return false; }
  /// The unknowns are of second order and alike, so that linear elements below them make a coarse space.
  virtual bool suits_multigrid(const CaseModel&) const { return false; }
  /// Blocks for a preconditioner of a saddle point; null: there are none. `only_if_they_pay`: for methods that may
  /// choose.
  virtual std::shared_ptr<SaddlePoint> blocks(const CaseModel&, bool /*only_if_they_pay*/) const { return nullptr; }
  /// What would be right where the constraints leave part of a state undetermined, for reports.
  virtual std::string advice_if_singular() const { return "prescribe more of the unknown on the boundary"; }
  /// Says what makes a state inadmissible, and where, as the end of a sentence; empty: nothing does.
  virtual std::function<std::string(const EvaluationPoint&)> explanation(const CaseModel&) const { return {}; }
};

}  // namespace invar
