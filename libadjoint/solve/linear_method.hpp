#pragma once
#include <span>
#include <string>
#include <string_view>

namespace invar {

/// One back end of LinearSolver: name, documentation, restrictions and PETSc options.
struct LinearMethod {
  std::string_view name;
  std::string_view doc;
  bool direct = false;          // factors the matrix
  bool symmetric_only = false;  // the transposed solve equals the forward solve
  bool one_process = false;     // does not run in parallel
  std::string_view options;     // PETSc options "key value key value …", without prefix and dash
  // data that LinearSolver must have
  enum class Needs { nothing, saddle_point, prolongation, node_blocks, triangular_blocks, levels, coupled_fields } needs = Needs::nothing;
  std::string_view options_of_short_rows = "";  // additional options below `short_row` entries per row
  bool by_cudss = false;           // uses a library that is loaded at run time and needs a device
  std::string_view fallback = "";  // the method that replaces it, with a message, if a solve fails
};

/// Average entries per row that separate linear tetrahedra with three unknowns per node (40 to 45) from all other
/// elements (over 80).
inline constexpr double short_row = 60;

/// Number of unknowns of 3-D flow above which multigrid on the blocks needs less memory than a factorisation, and not
/// more time.
inline constexpr int saddle_multigrid_size = 100000;

/// The same for stabilised flow, with multigrid on the coupled matrix.
inline constexpr int coupled_multigrid_size = 20000;

/// The same for fluid-structure interaction in space and time, with block Gauss-Seidel.
inline constexpr int gauss_seidel_size = 100000;

/// All methods that this build offers, in the order of the manual.
std::span<const LinearMethod> linear_methods();

/// The method of that name. Throws std::invalid_argument that lists the allowed names.
const LinearMethod& find_linear_method(std::string_view name);

/// Throws std::invalid_argument, with a suggestion, when `method` cannot be used for an operator of this symmetry on
/// this number of processes.
void require_suitable(const LinearMethod& method, bool symmetric, int processes);

}  // namespace invar
