#pragma once
#include <vector>

#include "apps/invar/spec/assignment.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Makes the assignments, in order, and writes every case out in full. A case takes the sections that it lacks from its
/// `base`; then keys with points, "mesh.box.cells: [4, 4]", each set one value in what the case has of its own, of its
/// base's or of the top's; then come the assignments to that case. So an assignment to the top or to a base reaches the
/// cases that are built upon it. No case has a `base` or a key with points afterwards. Mistakes are recorded where they
/// are written.
void assign(Node& root, const std::vector<Assignment>& assignments, const Table& table, Diagnostics& diagnostics);

}  // namespace invar::spec
