#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Bodies that hang together, and how they can move: "turn about (1, 2)".
struct UnheldBody {
  std::string region, motions;
};

/// Bodies in a steady flow whose rigid motions neither prescribed displacements nor forces resist where a solve begins, at zero velocity,
/// displacement and pressure: the tangent is singular there. Nothing if all are held; a fluid with a body force counts as one that holds
/// them. regions: of the bodies' cells; velocity, displacement: components; the rows of the velocity hold the balances of forces. The
/// residual must be finished. Collective.
std::optional<UnheldBody> find_unheld_body(FormResidual& residual, const std::vector<std::string>& regions, const std::vector<int>& velocity,
                                           const std::vector<int>& displacement, double load_parameter);

}  // namespace invar
