#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// The keys of `initial` that name a run, in place of a region, and how far nodes may lie outside its mesh.
inline constexpr const char *initial_from = "from", *initial_tolerance = "tolerance";

/// Folder of a run with the final states of its cases, NAME.csv and NAME.msh, from which other runs may begin.
inline constexpr const char* states_folder = "states";
/// The former in a run's folder, by name, and the latter of such a file.
std::vector<std::filesystem::path> state_files(const std::filesystem::path& run);
std::filesystem::path state_mesh(const std::filesystem::path& file);

/// Prefix of the columns of rates; whether a case has them.
inline constexpr const char* rate_prefix = "rate_";
/// Prefix of the columns of undesigned positions, if a design moves the mesh.
inline constexpr const char* read_prefix = "read_";
bool keeps_rates(const CaseModel& model);

/// Content of the files of a state.
struct SavedState {
  std::string values;  // a row for each node in the order of the mesh's file: its place and the unknown there (nan for
                       // components that do not live there), of equations of second order in time also the rate; where
                       // a design moved the mesh its place before that comes last
  std::string mesh;    // cells and their regions, for Gmsh
};
/// With exact numbers. On rank 0. Collective.
SavedState saved_state(const CaseModel& model, const EvaluationPoint& u);

/// Sets the state of `initial.from` as the initial state of a process, except in regions of `initial`. On another mesh it is
/// interpolated at undesigned node positions, and values move with the nodes. Records errors for different unknowns and for nodes
/// too far outside. Collective.
void begin_from_state(CaseModel& model, const spec::Value& initial, Diagnostics& diagnostics);
/// A line for the user.
std::string words_of(const StateOrigin& origin);

}  // namespace invar
