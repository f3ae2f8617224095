#pragma once
#include <span>
#include <string_view>
#include <vector>

namespace invar {

/// Name and sources of a value of a spec; no sources if no citation is needed.
struct CitedValue {
  std::string_view section, key, word;  // "materials", "model", "gent"
  std::string_view method = {};         // "the law of Gent"
  std::vector<std::string_view> keys = {};
};

/// Those of `physics.type` are in the physics' entries of the registry (`Physics::sources`).
std::span<const CitedValue> cited_words();

}  // namespace invar
