#pragma once
#include <string_view>

namespace invar {

/// One line about a scheme of `TimeScheme::names`, for the reference. Throws std::invalid_argument for another name.
std::string_view time_scheme_doc(std::string_view name);

}  // namespace invar
