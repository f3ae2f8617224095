#pragma once
#include <optional>
#include <string>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// A surface without cells whose nodes the conditions do not hold in every component.
struct LooseNode {
  std::string region;     // of its facets, or empty
  std::string component;
};

/// The first one there is: no equation would determine the unknown. The same on all ranks, collective; after `finish`.
std::optional<LooseNode> find_loose_node(const FormResidual& residual);

}  // namespace invar
