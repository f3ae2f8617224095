#pragma once
#include <optional>
#include <string>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// A surface without cells whose nodes are not constrained in every component.
struct UnconstrainedNode {
  std::string region;     // name of the facet region, or empty
  std::string component;
};

/// The first such surface: no equation would determine its unknowns. The same on all ranks, collective; call after
/// `finish`.
std::optional<UnconstrainedNode> find_unconstrained_node(const FormResidual& residual);

}  // namespace invar
