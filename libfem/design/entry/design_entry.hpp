#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libadjoint/parameterization.hpp"
#include "libfem/design/entry/design_case.hpp"

namespace invar {

/// A way to design something other than a number or a shape, as an entry of a library: all that the program needs to know of
/// it. Where an entry has a parameter `region`, the region is one of each case's mesh; where it has a `case_name`, only that
/// case is seen; where it has a `variable` or `constant`, some case has it.
struct DesignEntryKind {
  std::string_view name, doc;                // the word of `kind`; one line or more for the reference
  std::vector<EntryParameter> parameters{};
  bool alone = false;                        // no shape and no other entry that is `alone` may stand beside it
  bool last = false;                         // it follows what other entries design
  /// Of each case that is concerned, before its process is made: adds or spreads controls. `variable`, if there is one, is in
  /// the case. Collective.
  void (*prepare)(DesignCase&, const EntryValues&, EntryMistakes&) = nullptr;
  /// Of the cases that are concerned and were prepared, which share one mesh if `one_mesh`; null after recording what is
  /// wrong. Collective.
  std::shared_ptr<Parameterization> (*make)(const std::vector<DesignCase>&, const EntryValues&, EntryMistakes&) = nullptr;
  bool one_mesh = true;
  /// What its fields are called in files; empty: as the variable is, or the kind.
  std::string_view block_name{};
};

/// A number in time: SignalDesign.
DesignEntryKind signal_entry();
/// A constant of a material that differs from cell to cell: MaterialField.
DesignEntryKind field_entry();
/// The same with a normal distribution known before any data: GaussianField.
DesignEntryKind gaussian_field_entry();
/// Where fluid flows: DensityDesign.
DesignEntryKind density_entry();
/// Where a body has material: DensityDesign.
DesignEntryKind solid_density_entry();

}  // namespace invar
