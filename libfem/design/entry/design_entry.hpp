#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libadjoint/parameterization.hpp"
#include "libfem/design/entry/design_case.hpp"

namespace invar {

/// A design parameterization other than numbers and shapes, as a complete library entry. A parameter `region` is a region of
/// each case's mesh; with a `case_name` only that case is affected; a `variable` or `constant` exists in at least one case.
struct DesignEntryKind {
  std::string_view name, doc;                // the word of `kind`; one line or more for the reference
  std::vector<EntryParameter> parameters{};
  bool alone = false;                        // excludes shapes and other entries with `alone`
  bool last = false;                         // it is applied after the other entries
  /// For each affected case, before its process is created: adds or expands controls. A `variable` exists in the case.
  /// Collective.
  void (*prepare)(DesignCase&, const EntryValues&, EntryMistakes&) = nullptr;
  /// For the prepared cases, which share one mesh if `one_mesh`; null after recording a mistake. Collective.
  std::shared_ptr<Parameterization> (*make)(const std::vector<DesignCase>&, const EntryValues&, EntryMistakes&) = nullptr;
  bool one_mesh = true;
  /// name of its fields in files; empty: that of the variable, or the kind
  std::string_view block_name{};
  bool has_prior = false;  // it makes a PriorField
};

/// A number in time: SignalDesign.
DesignEntryKind signal_entry();
/// A material constant that varies from cell to cell: MaterialField.
DesignEntryKind field_entry();
/// The same with a Gaussian prior: GaussianField.
DesignEntryKind gaussian_field_entry();
/// Topology of a fluid domain: DensityDesign.
DesignEntryKind density_entry();
/// Topology of a solid: DensityDesign.
DesignEntryKind solid_density_entry();

}  // namespace invar
