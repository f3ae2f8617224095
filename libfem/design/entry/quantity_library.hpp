#pragma once
#include <span>

#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// CellPenalty, or NodalPenalty for an initial field.
QuantityEntry<QuantityCase> roughness_quantity();
/// CellPenalty with a slope.
QuantityEntry<QuantityCase> total_variation_quantity();
/// A designed field in the cell that contains a point.
ReportEntry<QuantityCase> field_value_report();
/// Between the two sides of a boundary curve.
ReportEntry<QuantityCase> corner_angle_report();

/// ∫ of the designed density.
QuantityEntry<QuantityCase> material_volume_quantity();

/// The quantities of every physics, in the order of the manual.
std::span<const QuantityEntry<QuantityCase>> common_quantities();
std::span<const ReportEntry<QuantityCase>> common_reports();
std::span<const DataEntry<QuantityCase>> common_data();

}  // namespace invar
