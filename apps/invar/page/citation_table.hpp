#pragma once
#include <span>
#include <string_view>
#include <vector>

namespace invar {

/// What a word of a spec is called, and its sources; without sources where nobody needs to be cited.
struct CitedWord {
  std::string_view section, key, word;  // "materials", "model", "gent"
  std::string_view method = {};         // "the law of Gent"
  std::vector<std::string_view> keys = {};
};

std::span<const CitedWord> cited_words();

}  // namespace invar
