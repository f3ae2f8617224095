#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/physics/physics_model.hpp"
#include "apps/invar/problem/march_spec.hpp"
#include "apps/invar/problem/path_spec.hpp"
#include "apps/invar/problem/state_origin.hpp"
#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/maps/number_range.hpp"
#include "libadjoint/maps/polar_numbers.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

class ByteBudget;
class Device;
class TiedEquation;

/// The sections of one case: its own where it has them, else those at the top.
struct CaseSections {
  std::string name;          // empty for the single unnamed case
  const spec::Value* top = nullptr;
  const spec::Value* own = nullptr;  // nullptr: everything from the top

  const spec::Value* find(const char* section) const {
    if (own)
      if (const spec::Value* v = own->find(section)) return v;
    return top->find(section);
  }
  /// Whether unknowns are tied to each other or to rigid parts; then `CaseModel::ties` is solved instead of the physics' own equation.
  bool has_ties() const { return find("ties") || find("rigid") || find("joints") || find("tendons"); }
  /// Position for messages on missing sections.
  const spec::Value& place() const { return own ? *own : *top; }
};

/// A case ready to be solved: mesh, space, equations, process.
struct CaseModel {
  std::string name;
  std::set<std::string> own_sections;  // sections that replace those at the top
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::string physics_word;                    // of `physics.type`
  std::unique_ptr<PhysicsModel> physics;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<const TiedEquation> ties;    // the solved equation if unknowns are tied; else null
  std::vector<std::string> tied_facets;        // regions of facets that ties name
  bool numbers_grow = false;                   // those of boundary, loads and ties, with the load parameter
  int shift_control = -1;                      // of the clock of data along time, "time.data_shift"; −1: there is none
  std::shared_ptr<FormResidual> linear_start;  // the equation on linear elements, for the initial guess; else null
  std::map<int, NumberRange> admitted;  // admissible range by control
  std::map<std::string, double> computed;  // by their path in the spec: defaults that follow from mesh and materials
  std::vector<PolarNumbers> polar;      // velocities that follow from a speed and an angle; case_index is not set
  std::vector<DesignedField> fields;
  std::vector<double> times;             // of a march the first is its start
  double start = 0;
  bool jumps = false;                    // prescribed values jump at the start of a march: only held unknowns have moved in its state there
  std::optional<MarchSpec> march;        // of processes in time
  std::optional<StateOrigin> origin;     // if the initial state is that of another run
  std::map<int, const spec::Value*> may_touch;  // entries of the spec by number of their form: contact pairs, and loads that may be obstacles
  const spec::Value* trim = nullptr;     // the section that the case is trimmed by
  std::vector<int> trimmed;              // controls that a trim determines
  std::optional<PathSpec> path;          // of equilibrium paths whose load is unknown
  std::shared_ptr<Case> process;
  std::shared_ptr<Device> device;        // that evaluates the equation; null: the processor
  std::shared_ptr<ByteBudget> device_states;  // of the device's memory for stored states, shared by all cases
  std::string why_no_device;             // if `solver.device` is auto

  /// The model of a given physics; nullptr if the case has another one.
  template <class P>
  P* as() const {
    return dynamic_cast<P*>(physics.get());
  }
  /// The solved equation.
  std::shared_ptr<Residual> equation() const;
  /// Converts an observable of the residual's unknowns to one of the solved unknowns.
  std::shared_ptr<Observable> observed(std::shared_ptr<Observable> observable) const;
  /// Position of the control of that name, −1 without.
  int control_named(std::string_view name) const { return DesignCase::find_control(*residual, name); }
  /// Position of a component in the unknown, −1 without.
  int component(std::string_view name) const;
  /// Whether integrals run over the full circle, x being the radius.
  bool axisymmetric() const { return physics->axisymmetric(); }
  /// Converts a path of the spec to the name of a control of this case, without "cases.NAME."; nothing for paths of other cases. As
  /// for `--set`, a path without "cases." is a number at the top, which does not exist in a case that has the section itself.
  std::optional<std::string> path_here(const std::string& path) const;
  /// A control's name as `design` and `--set` name it.
  std::string path_of(const std::string& control_name) const;
  int last_step() const { return static_cast<int>(times.size()) - 1; }
};

struct Physics;

/// Meshes of cases, by their section of the spec.
struct MeshCache {
  std::map<std::string, Mesh> given{};  // serial, by the section's path: used in place of what the section says
  std::map<std::string, std::shared_ptr<const Mesh>> known{};  // made already, to share them between cases
};

/// The mesh of a section `mesh` before it is distributed, with all its regions: of first order, or of the order of the cells if the section gives
/// second-order cells. Mistakes are recorded. Throws MeshError, ExpressionError or std::invalid_argument.
Mesh build_serial_mesh(const spec::Value& section, int order, Diagnostics& diagnostics);

/// The mesh of a case, distributed such that surfaces in contact in any case are kept together; nullptr, with error messages, on failure.
std::shared_ptr<const Mesh> build_mesh(const CaseSections& sections, const Physics& physics, MPI_Comm comm, MeshCache& cache,
                                       Diagnostics& diagnostics);

/// Space, materials, supports and loads. `data_times`: load parameters of data, ascending or descending. Mistakes are recorded; the
/// model must not be used then. The process is not created yet.
CaseModel build_case(const CaseSections& sections, const std::vector<double>& data_times, MPI_Comm comm,
                     MeshCache& cache, Diagnostics& diagnostics);

}  // namespace invar
