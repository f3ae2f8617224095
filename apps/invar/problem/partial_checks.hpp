#pragma once
#include <string>

#include "apps/invar/problem/problem.hpp"

namespace invar {

// All mistakes are reported at once: what mistakes leave readable is checked, too, without the errors that follow from them.

/// Number of mistakes at a path of the spec or below it.
std::size_t mistakes_below(const std::string& path, const Diagnostics& diagnostics);

/// Whether the sections that describe a case have no mistake: all are in records that are read one by one, or in other cases.
bool is_readable(const CaseSections& sections, const Diagnostics& diagnostics);

/// Checks that formulas anywhere in the spec can be parsed.
void check_formulas(const spec::Value& spec, Diagnostics& diagnostics);

/// The mesh of a case whose other sections have mistakes.
CaseModel mesh_only(const CaseSections& sections, MPI_Comm comm, MeshCache& cache, Diagnostics& diagnostics);

/// Checks that the mesh of a case that cannot be built has the regions that its sections and records name.
void check_regions(const CaseModel& model, const CaseSections& sections, const CaseRecords& records, Diagnostics& diagnostics);

/// Whether the record of the spec to which a path of `design` leads, such as materials.rubber, has been built without a mistake, or does not
/// exist: then it has no other numbers.
bool is_settled(const std::string& path, const Problem& problem, const Diagnostics& diagnostics);

}  // namespace invar
