#pragma once
#include <filesystem>
#include <vector>

namespace invar {

/// What is in a folder, in no order; nothing where it cannot be read. The iterators of std::filesystem would end the
/// program when memory runs out: in libstdc++ their step allocates and is `noexcept`.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

/// The same with what is in the folders within. Symbolic links are not followed.
std::vector<std::filesystem::path> entries_below(const std::filesystem::path& folder);

}  // namespace invar
