#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// The key of `initial` that names a run, in place of a region.
inline constexpr const char* initial_from = "from";

/// Where a run keeps the states of its cases at their end, a file NAME.csv of each, from which other runs may begin.
inline constexpr const char* states_folder = "states";
/// Those in a run's folder, by name.
std::vector<std::filesystem::path> state_files(const std::filesystem::path& run);

/// The content of such a file: a row for each node in the order of the mesh's file, its place and the unknown there (nan
/// for components that do not live there), of equations of second order in time also the rate. Numbers are exact. On
/// rank 0. Collective.
std::string saved_state(const CaseModel& model, const EvaluationPoint& u);

/// Makes the state that a spec's `initial.from` names the one that a process begins with, but for what is said later.
/// Another mesh or other unknowns are mistakes. Collective.
void begin_from_state(CaseModel& model, const spec::Value& from, Diagnostics& diagnostics);

}  // namespace invar
