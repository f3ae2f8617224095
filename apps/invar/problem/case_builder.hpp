#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/value_binder.hpp"
#include "libadjoint/param_spec.hpp"
#include "libfem/form/term_spec.hpp"

namespace invar {

/// Records an error at `value` unless the mesh has a region of that name and dimension; a facet or
/// cell region when dim ≥ 0, any when −1.
bool check_region(const Mesh& mesh, const std::string& region, int dim, const spec::Value& value,
                  Diagnostics& diagnostics, bool key_is_name = false);

/// Common base of the builders of cases of any physics.
class CaseBuilder {
 public:
  /// Name of the form of a load in reports.
  static FormUse used_as(const spec::Value& load) { return {.name = "the " + load["type"].text() + " '" + load.key + "'"}; }

 protected:
  /// A builder of a part of the same case.
  CaseBuilder(const CaseBuilder& whole) = default;
  /// `ramps`: numbers of boundary and loads grow in proportion to the load parameter.
  CaseBuilder(CaseModel& model, const CaseSections& sections, bool ramps, Diagnostics& diagnostics);

  /// The region that a record names, empty for all cells of the mesh; nothing, with an error message, if there is none of that dimension.
  std::optional<std::string> region_of(const spec::Value& record, int dim);
  /// A constant of a material as a control "PATH.KEY". If missing it is `fallback`, or a mistake.
  int constant(const spec::Value& material, const std::string& path, const ParamSpec& p,
               std::optional<double> fallback);
  /// Every cell must have exactly one material.
  void check_covered(const std::vector<std::string>& regions);
  /// Prescribes an unknown in the region of the record's name by its value of the key.
  void prescribe(const spec::Value& support, int component, const char* key, const char* unit);
  /// The components of the unknown vector (u_x, …) that a support prescribes.
  void prescribe_components(const spec::Value& support, const char* unit);
  /// A component of the vector (u_x, … or v_x, …) that is not prescribed at every node of a region, the last one; −1: all are. After
  /// `FormResidual::finish`. Collective.
  int free_component(const Region& region) const;
  /// Loads on facets and points at which the whole vector is prescribed: no unknown depends on them. As `free_component`.
  std::vector<const spec::Value*> loads_on_prescribed() const;
  /// Makes an error of each where forces do not contain loads. what: the vector.
  void refuse_loads_on_prescribed(const std::string& what);
  /// Sets further initial values of the physics in a region from an entry of `initial`; path: "initial.NAME".
  using InitialUnknowns = std::function<void(const spec::Value& entry, const std::string& region, const std::string& path)>;
  /// Calls visit(entry, region, path) for each entry of `initial` that is a region.
  void visit_initial(const InitialUnknowns& visit);
  /// Sets the initial state of a process in time. why_no_rates: reason, as a sentence, why rates of the vector cannot be given;
  /// empty: they can.
  void initial_state(const std::string& why_no_rates, const InitialUnknowns& others = {});
  /// The data of a load or an integral other than its coefficients; nothing, with error messages, on failure.
  std::optional<TermSetting> setting_of(const TermSpec& term, const spec::Value& record);
  /// Its coefficients, in the order of its form.
  std::vector<ControlledValue> coefficients(const TermSpec& term, const spec::Value& record, const std::string& path);
  ControlledValue bind(const spec::Value& record, const std::string& path, const char* key, const char* unit) {
    ControlledValue value = binder_.bind(record, path, key, unit, ramps_);
    if (scales_) note_scalable(record.find(key), value.control);
    return value;
  }
  /// A constant value, even if others grow with the load parameter.
  ControlledValue bind_constant(const spec::Value& record, const std::string& path, const char* key, const char* unit) {
    return binder_.bind(record, path, key, unit, false);
  }

  static constexpr const char* axes[] = {"x", "y", "z"};
  static constexpr const char* components[] = {"u_x", "u_y", "u_z"};
  static constexpr const char* velocities_of[] = {"v_x", "v_y", "v_z"};

  CaseModel& model_;
  const CaseSections& sections_;
  Diagnostics& diagnostics_;
  FormResidual& residual_;
  std::shared_ptr<ValueBinder> bound_;
  ValueBinder& binder_ = *bound_;

 private:
  void note_scalable(const spec::Value* given, int control);

  bool ramps_;   // numbers of boundary and loads grow with the load parameter
  bool scales_;  // an unknown load factor multiplies them
};

}  // namespace invar
