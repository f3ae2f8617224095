#pragma once
#include <string_view>

namespace invar {

/// One line on a method of `optimizer_names`, for the reference. Throws std::invalid_argument on another name.
std::string_view optimizer_doc(std::string_view name);

}  // namespace invar
