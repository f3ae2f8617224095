#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

class Mechanism;

/// The keys of `initial` that name a run, in place of a region, and how far nodes may lie outside its mesh.
inline constexpr const char *initial_from = "from", *initial_tolerance = "tolerance";

/// Folder of a run with the final states of its cases, from which other runs may begin: NAME.csv, and beside it what `SavedState` holds.
inline constexpr const char* states_folder = "states";
/// The former in a run's folder, by name, and files beside such a one.
std::vector<std::filesystem::path> state_files(const std::filesystem::path& run);
enum class StatePart { mesh, numbers, history };
inline constexpr StatePart state_parts[] = {StatePart::mesh, StatePart::numbers, StatePart::history};
std::filesystem::path state_part(std::filesystem::path file, StatePart part);

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
  std::string numbers; // unknowns of ties and rigid parts, and their rates likewise, by name; empty: there are none
  std::string history; // a row for each integration point with history variables: its cell (`numbers_of`), its place in the undesigned mesh, and
                       // the variables of each form there; empty: there are none
};
/// With exact numbers, at the end of the process. On rank 0. Collective.
SavedState saved_state(CaseModel& model);
/// Two of its files, of a solved state q and of its nodal state u.
std::string saved_numbers(const CaseModel& model, const EvaluationPoint& q);
std::string saved_history(const CaseModel& model, const EvaluationPoint& u);

/// Sets the state of `initial.from` as the initial state of a process, except in regions of `initial`. On another mesh it is
/// interpolated at undesigned node positions, and values move with the nodes. Records errors for different unknowns and for nodes
/// too far outside. Collective.
void begin_from_state(CaseModel& model, const spec::Value& initial, Diagnostics& diagnostics);
/// The same for the unknowns of ties and rigid parts, by name, on any mesh. follows: unknowns of the mechanism that others determine.
void begin_numbers_from_state(const CaseModel& model, const CaseSections& sections, Mechanism& mechanism, const std::set<int>& follows, Diagnostics& diagnostics);
/// The same for history variables, on the same mesh only: between integration points they have no values, and means of plastic strains would
/// violate the yield condition. After all quantities are built. Collective.
void begin_history_from_state(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// A line for the user.
std::string words_of(const StateOrigin& origin);

}  // namespace invar
