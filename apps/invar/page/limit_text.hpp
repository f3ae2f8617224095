#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace invar {

/// Sentences on an entry of `limits` in results.json, and on the first-order condition in `optimizer`, for terminal and page.
std::string limit_text(const nlohmann::ordered_json& limit);
std::string first_order_text(const nlohmann::ordered_json& optimizer);

}  // namespace invar
