#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/objective/measured_set.hpp"
#include "libfem/objective/measurement.hpp"
#include "libfem/objective/quantity_case.hpp"

namespace invar {

/// A number that a state has, as an entry of a library: all that the program needs to know of it. Objectives, constraints
/// and quantities of the spec, their validation and their reference follow. Case is QuantityCase, or what a physics adds
/// to it. What the parameters name is checked before `make` is called: regions are there, points and directions have as
/// many components as space, axes are among the mesh's. Made: Measurement of what is reported only; data are lists of
/// MeasuredSet.
template <class Case, class Made = std::shared_ptr<Observable>>
struct QuantityEntry {
  std::string_view name, doc;                          // the word of `type`; one line or more for the reference
  std::vector<EntryParameter> parameters{};
  std::vector<std::string_view> exactly_one_of{};      // keys of which one is given
  bool (*of_mesh)(const EntryValues&) = nullptr;       // reads the mesh alone: it has a value before anything is solved. Null: never
  /// Of data: load parameters or times of the measurements, read before there is a mesh. Null or none: one that the spec
  /// gives under `at`, or the last.
  std::vector<double> (*times)(const EntryValues&) = nullptr;
  /// An observable of size 1, a measurement, or data; null or empty after recording what is wrong. Collective.
  Made (*make)(const Case&, const EntryValues&, EntryMistakes&) = nullptr;
};

/// For QuantityEntry::of_mesh.
inline bool always_of_mesh(const EntryValues&) { return true; }

/// What is reported only.
template <class Case>
using ReportEntry = QuantityEntry<Case, Measurement>;

/// Measured data that are more than one number: the spec's objectives take them by their name.
template <class Case>
using DataEntry = QuantityEntry<Case, std::vector<MeasuredSet>>;

// Quantities of every physics.

/// ∫ 1, of the mesh or of what a boundary encloses.
QuantityEntry<QuantityCase> volume_quantity();
/// A coordinate of the centre of volume.
QuantityEntry<QuantityCase> centroid_quantity();
/// NodeDistance
QuantityEntry<QuantityCase> distance_quantity();
/// ExtremePosition
QuantityEntry<QuantityCase> position_quantity();
/// The unknown at a point.
QuantityEntry<QuantityCase> point_quantity();
/// The square of a number.
QuantityEntry<QuantityCase> actuation_quantity();
/// NumberValue
QuantityEntry<QuantityCase> number_quantity();
/// Thickness of a body's section, and the radius of its nose.
QuantityEntry<QuantityCase> thickness_quantity();
QuantityEntry<QuantityCase> nose_radius_quantity();
/// The least or greatest value along a line or in a region, or where it is.
ReportEntry<QuantityCase> extremum_report();
/// ErrorNorm against formulas.
ReportEntry<QuantityCase> field_error_report();
/// Values of the unknown at points, from a table.
DataEntry<QuantityCase> markers_data();
/// The unknown in a region against formulas, in the mean square. doc: one sentence.
DataEntry<QuantityCase> field_data(std::string_view name, std::string_view doc);

}  // namespace invar
