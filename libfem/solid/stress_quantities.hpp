#pragma once
#include "libfem/solid/solid_quantities.hpp"

namespace invar {

/// StressNorm in a region of cells or facets.
QuantityEntry<SolidQuantityCase> stress_norm_quantity();
/// The same with exponentials.
QuantityEntry<SolidQuantityCase> stress_ks_quantity();
/// StressLimit in a region of cells.
QuantityEntry<SolidQuantityCase> stress_limit_quantity();
/// The largest von Mises stress among many points of a region, or its position.
ReportEntry<SolidQuantityCase> peak_stress_report();

}  // namespace invar
