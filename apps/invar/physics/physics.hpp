#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/physics/component_spec.hpp"
#include "apps/invar/physics/physics_model.hpp"
#include "apps/invar/spec/table.hpp"
#include "libadjoint/petsc.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

struct CaseSections;

/// A spec that runs as it stands, for the page of its physics.
struct Example {
  std::string title, yaml;
};

/// A method and its sources, for reports.
struct CitedMethod {
  std::string method;             // "finite elements"
  std::vector<std::string> keys;  // of `references` (page/references.cpp)
};

/// Equations for which a linear method that needs more than a matrix is available, as the end of a sentence, and advice to use it.
struct LinearMethodUse {
  std::string problems;
  std::string instead = "use auto";
};

/// One physics: the value of `physics.type`, the tables of its keys, and the builder of its cases. Tables
/// of the same name that several physics give, and entries of the same key, are the same in each of them.
struct Physics {
  // its name is the word; keys of the section 'physics' besides 'type'
  spec::Table options;
  std::vector<spec::Table> materials = {};          // by value of 'model'
  std::vector<spec::Table> loads = {};              // by value of 'type'
  std::vector<spec::Table::Entry> boundary = {};    // keys of an entry of 'boundary' besides 'factor' and 'adds'
  std::vector<spec::Table::Entry> contact = {};     // keys of an entry of 'contact'; empty: no contact
  std::vector<spec::Table::Entry> initial = {};     // keys of an entry of 'initial' besides 'factor'
  std::vector<ComponentSpec> components = {};       // of the unknown
  std::vector<spec::Table> scalars = {};            // terms, constraints and quantities of its own
  std::vector<spec::Table> quantities = {};         // for reports only
  std::span<const DataEntry<QuantityCase>> data = {};  // measured data of its own
  /// Advice instead of a quantity of another physics, by its name.
  std::map<std::string, std::string> instead = {};
  /// Where a quantity has no value, as the end of a sentence, by its name.
  std::map<std::string, std::string, std::less<>> undefined = {};
  std::map<std::string, LinearMethodUse, std::less<>> linear_methods = {};  // for this physics only, by name
  std::span<const DeviceKind> device_kinds = {};  // forms that devices evaluate
  std::vector<Example> examples = {};
  /// The equations of a case and their discretisation, for its report: "Equilibrium of a solid (plane_strain) was discretised by …", without a full
  /// stop. Empty: the report only names the physics.
  std::function<std::string(const CaseSections&)> methods = {};
  std::vector<CitedMethod> sources = {};  // for all its cases; values of keys are in page/citation_table.cpp
  /// Polynomial order of the elements.
  std::function<int(const spec::Value& physics)> order;
  bool unknowns_at_all_nodes = false;  // of the mesh: with elements of first order the cells of any mesh become straight
  /// Facets that every rank must hold because the solution at any place may depend on them: of the boundary between a region of cells and
  /// all others, which becomes a region of facets (`interface_name`), and of regions; in the names of the case. Empty: none.
  struct FeltEverywhere {
    std::string interface_of;
    std::vector<std::string> regions;
  };
  std::function<std::optional<FeltEverywhere>(const CaseSections&)> felt_everywhere = {};
  // key and value in the section 'physics' that make elements of second order, "order=2"
  std::string second_order = {};
  std::vector<std::string> time = {};  // keys of the section 'time' that not every physics uses
  /// Of the equation in time; `time`: the section.
  std::function<int(const spec::Value& time)> time_order;
  bool finds_loads = false;  // supports paths with unknown load
  /// Creates space, residual and other data of the case, whose mesh and times exist. Mistakes are recorded; the case must not be
  /// used then. `order`: of the unknown.
  std::function<void(CaseModel&, const CaseSections&, int order, MPI_Comm, Diagnostics&)> build;
  /// Checks that the tied equation, `CaseModel::ties`, determines all unknowns, e.g. the pressure level. Empty: no check. Collective.
  std::function<void(const CaseModel&, const CaseSections&, Diagnostics&)> check_tied = {};
  /// Makes the pressure [Pa] that the neighbour of a periodic cell has in addition act on the side where it is, a region of facets: without
  /// it a mean gradient of the pressure would not drive the flow. Returns why this is impossible. Empty: pressures have no mean gradient.
  std::function<std::string(CaseModel&, const std::string& side, ControlledValue more)> push_periodic = {};

  const std::string& word() const { return options.name(); }
};

/// All available physics. Tests may add entries before the first spec is read.
std::vector<Physics>& all_physics();
/// By its word, which is known.
const Physics& physics_of(std::string_view word);

/// What a linear method is for; null: no physics says so.
const LinearMethodUse* use_of(std::string_view linear_method);

/// The physics whose keys a spec may use.
using SomePhysics = std::span<const Physics>;

/// Tables of some physics: of those with the same name the first.
std::vector<spec::Table> tables_of(SomePhysics some, std::vector<spec::Table> Physics::*tables);
/// Entries likewise, added to a table as optional ones; returns their keys.
std::vector<std::string> add_entries_of(SomePhysics some, spec::Table& table, std::vector<spec::Table::Entry> Physics::*entries);
std::vector<ComponentSpec> components_of(SomePhysics some);
/// The data that an objective of that type is, of any physics or of all; null: it is a quantity.
const DataEntry<QuantityCase>* data_named(std::string_view type);

Physics solid_physics();
Physics flow_physics();
Physics fsi_physics();

}  // namespace invar
