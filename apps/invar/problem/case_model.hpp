#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/invar/problem/march_spec.hpp"
#include "apps/invar/problem/path_spec.hpp"
#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/maps/number_range.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/variable_transform.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

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
  /// Where to complain that something is missing.
  const spec::Value& place() const { return own ? *own : *top; }
};

/// One material on one region, with the controls of its constants.
struct MaterialPart {
  std::string name, region;           // region empty: everywhere
  std::unique_ptr<Material> material;
  std::unique_ptr<Material> unreduced;  // of a compressible law in plane stress: the law in space
  std::vector<int> controls;          // per material parameter
  ControlledValue density;            // of processes in time with inertia
  int plastic_form = -1, viscous_form = -1;  // of the residual: stresses that remember
  int branches = 0, degree = 0;       // of the latter; of quadrature
};

/// What a case of an elastic body has of its own.
struct SolidModel {
  SolidKind kind = SolidKind::spatial;
  bool mixed = false;
  std::vector<MaterialPart> parts;    // in the order of the residual's first forms
  std::vector<int> dead_load_forms;   // positions of dead loads among the residual's forms
};

/// One fluid on one region.
struct FluidPart {
  std::string name, region;               // region empty: everywhere
  std::string law_name;                   // "newtonian", …
  ViscosityLaw law;
  std::vector<ControlledValue> constants; // density, the law's parameters
  ControlledValue resistance;
  ControlledValue diffusivity;            // of the scalar, where there is one
  int form_count = 0;                     // of its equations: one for each kind of cell
};

/// What a case of flow has of its own.
struct FlowCase {
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  bool convection = true, stress_form = false;
  bool linearised = false;                // convection is a form of its own
  bool scalar = false;                    // something is carried along
  std::vector<FluidPart> parts;           // their equations are the residual's first forms
  std::vector<std::string> walls;         // regions where the fluid rests
  int degree = 0, facet_degree = 0;       // of quadrature

  FlowModel model(const FluidPart& part) const { return {part.law, convection && !linearised, stress_form}; }
};

/// A constant of a material that is designed as a field.
struct DesignedField {
  std::string path, region;      // as the design names it; cells that are designed, empty: all
  int control = -1;              // one entry per cell
  double value = 0;              // that the spec gives the constant
  VariableTransform transform;
};

/// A case ready to be solved: mesh, space, equations, process.
struct CaseModel {
  std::string name;
  std::set<std::string> own_sections;  // that stand in place of those at the top
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::variant<SolidModel, FlowCase> physics;
  std::shared_ptr<FormResidual> residual;
  int shift_control = -1;                      // of the clock of data along time, "time.data_shift"; −1: there is none
  std::shared_ptr<FormResidual> linear_start;  // the same on linear elements, where that is where to begin
  std::map<int, NumberRange> admitted;  // by control: what the model admits of a number
  int density_control = -1;  // per cell, where a density is designed
  std::vector<DesignedField> fields;
  int initial_control = -1;  // velocity per node that time begins with, where it is designed
  int initial_source = -1;   // what that is made of
  std::vector<double> times;             // of a march the first is its start
  double start = 0;
  std::optional<MarchSpec> march;        // of processes in time
  std::optional<PathSpec> path;          // of equilibrium paths whose load is unknown
  std::shared_ptr<Case> process;

  /// nullptr when the case is of the other physics.
  const SolidModel* solid() const { return std::get_if<SolidModel>(&physics); }
  const FlowCase* flow() const { return std::get_if<FlowCase>(&physics); }
  /// Position of a component in the unknown, −1 without.
  int component(std::string_view name) const;
  int pressure_component() const { return component("p"); }
  /// A scalar that the flow carries.
  int scalar_component() const { return component("c"); }
  /// Whether integrals run over the full circle, x being the radius.
  bool axisymmetric() const;
  /// A path of the spec as the case names its controls: without "cases.NAME."; nothing for those of another. As for
  /// `--set`, a path without "cases." means a number at the top, which a section of the case's own stands in place of.
  std::optional<std::string> path_here(const std::string& path) const;
  /// A control's name as `design` and `--set` name it.
  std::string path_of(const std::string& control_name) const;
  int last_step() const { return static_cast<int>(times.size()) - 1; }
};

/// Meshes already read, by what the spec says of them, so that cases share them.
using MeshCache = std::map<std::string, std::shared_ptr<const Mesh>>;

/// The mesh of a case; nullptr after recording what is wrong.
std::shared_ptr<const Mesh> build_mesh(const spec::Value& section, int order, MPI_Comm comm, MeshCache& cache,
                                       Diagnostics& diagnostics);

/// Space, materials, supports and loads. `data_times`: load parameters at which data want the state,
/// ascending or descending. Mistakes are recorded; the model is then not to be used. The case is still
/// without a process.
CaseModel build_case(const CaseSections& sections, const std::vector<double>& data_times, MPI_Comm comm,
                     MeshCache& cache, Diagnostics& diagnostics);

}  // namespace invar
