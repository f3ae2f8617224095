#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/objective/measured_set.hpp"
#include "libfem/objective/measurement.hpp"
#include "libfem/objective/quantity_case.hpp"

namespace invar {

/// How a quantity depends on a designed density at rest, where the potential energy is a convex quadratic function of the unknown and a concave one of
/// the density.
enum class InDensity { unknown, convex, affine };

/// A scalar quantity of a state as a complete library entry. Objectives, constraints and quantities of the spec, their
/// validation and their reference are generated from it. Case is QuantityCase, or a physics' extension. References in
/// the parameters are validated before `make` is called: regions exist, points and directions have the right dimension,
/// axes exist. Made: Measurement for reports; a list of MeasuredSet for data.
template <class Case, class Made = std::shared_ptr<Observable>>
struct QuantityEntry {
  std::string_view name, doc;                          // the word of `type`; one line or more for the reference
  std::vector<EntryParameter> parameters{};
  std::vector<std::string_view> exactly_one_of{};      // keys of which exactly one must be given
  // depends on the mesh only, so it has a value before a solve; null: never
  bool (*of_mesh)(const EntryValues&) = nullptr;
  /// For data: load parameters or times of the measurements, read before the mesh exists. Null or none: the one under
  /// `at` in the spec, or the last.
  std::vector<double> (*times)(const EntryValues&) = nullptr;
  /// Creates an observable of size 1, a measurement, or data; null or empty after recording a mistake. Collective.
  Made (*make)(const Case&, const EntryValues&, EntryMistakes&) = nullptr;
  InDensity in_density = InDensity::unknown;
};

/// How the quantity of that name depends on a density; unknown where the library does not contain it.
template <class Case>
InDensity dependence_on_density(std::span<const QuantityEntry<Case>> library, std::string_view name) {
  for (const QuantityEntry<Case>& entry : library)
    if (entry.name == name) return entry.in_density;
  return InDensity::unknown;
}

/// For QuantityEntry::of_mesh.
inline bool always_of_mesh(const EntryValues&) { return true; }

/// Reports.
template <class Case>
using ReportEntry = QuantityEntry<Case, Measurement>;

/// Measured data with more than one number; objectives of the spec refer to them by name.
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
