#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Checks that results.json of the problem can contain the numbers in `expect`. variables: names of the shared design variables; null: the
/// spec has mistakes, and only names that do not depend on what is built are checked.
void check_expectations(const Problem& problem, const std::vector<std::string>* variables, Diagnostics& diagnostics);

}  // namespace invar
