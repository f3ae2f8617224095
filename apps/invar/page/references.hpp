#pragma once
#include <string_view>
#include <vector>

namespace invar {

/// A source of a method, as BibTeX has it.
struct Reference {
  std::string_view key, entry;  // "svanberg2002"; the whole entry "@article{svanberg2002, …}"
};

/// All that runs may cite, in the order of their keys.
const std::vector<Reference>& references();
/// Throws std::out_of_range where there is none.
const Reference& reference(std::string_view key);

}  // namespace invar
