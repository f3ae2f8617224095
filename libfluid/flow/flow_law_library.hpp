#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// All names, in the order of the manual.
std::vector<std::string_view> flow_law_names();

/// One line: the law's formula. Throws std::invalid_argument for an unknown name.
std::string_view flow_law_doc(std::string_view name);

/// The constants of a fluid with this law: the density, then the law's in the order of ViscosityLaw::viscosity. Throws
/// as above.
std::span<const ParamSpec> flow_law_parameters(std::string_view name);

/// The law. Throws as above.
ViscosityLaw make_viscosity_law(std::string_view name);

}  // namespace invar
