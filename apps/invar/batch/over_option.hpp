#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/node.hpp"

namespace invar {

/// Puts `--over` arguments, "a.b=1,2,3" or "a.b={from: 1, to: 2, n: 5}", into the section `sweep.over` of the tree, replacing the
/// same key. The section is created if missing. Its nodes have the position "--over a.b".
void apply_over(spec::Node& root, const std::vector<std::string>& overs, Diagnostics& diagnostics);

}  // namespace invar
