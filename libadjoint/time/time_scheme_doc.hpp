#pragma once
#include <string_view>

namespace invar {

/// One line on a scheme of `TimeScheme::names`, for the reference. Throws std::invalid_argument on another name.
std::string_view time_scheme_doc(std::string_view name);

}  // namespace invar
