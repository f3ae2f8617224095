#pragma once
#include <string>
#include <vector>

namespace invar {

/// What --set may name without knowing the spec: the paths of all keys that stand in records only, such as
/// "optimizer.max_iterations", sorted. Keys below names of the user's own or in lists are none of them.
std::vector<std::string> spec_paths();

}  // namespace invar
