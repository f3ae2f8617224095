#pragma once
#include <span>
#include <string>
#include <string_view>

namespace invar {

/// One back end of LinearSolver: what it is, what it may be used for, and its PETSc options.
struct LinearMethod {
  std::string_view name;
  std::string_view doc;
  bool direct = false;          // factors the matrix
  bool symmetric_only = false;  // its transposed solve is its forward solve
  bool one_process = false;     // does not run in parallel
  std::string_view options;     // PETSc options "key value key value …", without prefix and dash
  enum class Needs { nothing, saddle_point, prolongation } needs = Needs::nothing;  // that the system says, LinearSolver
  std::string_view options_of_short_rows = "";  // further ones where rows have fewer than `short_row` entries
};

/// Entries on average: 40 to 45 in linear tetrahedra with three unknowns a node, over 80 in anything richer.
inline constexpr double short_row = 60;

/// Unknowns from which multigrid on the blocks of flow in space needs less memory than a factorisation, and no more
/// time.
inline constexpr int saddle_multigrid_size = 100000;

/// All methods that this build offers, in the order of the manual.
std::span<const LinearMethod> linear_methods();

/// The method of that name. Throws std::invalid_argument naming the allowed ones.
const LinearMethod& find_linear_method(std::string_view name);

/// Throws std::invalid_argument, saying what would be right, when `method` cannot be used for an
/// operator of this symmetry on this number of processes.
void require_suitable(const LinearMethod& method, bool symmetric, int processes);

}  // namespace invar
