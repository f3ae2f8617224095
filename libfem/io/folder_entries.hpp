#pragma once
#include <filesystem>
#include <system_error>
#include <vector>

namespace invar {

/// The entries of a folder, in any order; empty if the folder does not exist. Throws std::filesystem::filesystem_error
/// if it cannot be read. The iterators of std::filesystem would terminate the program when memory runs out: in
/// libstdc++ their increment allocates and is `noexcept`.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
/// The same without exceptions: the entries read before an error, which `code` describes.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder, std::error_code& code);

/// The same including the entries of sub-folders. Symbolic links are not followed.
std::vector<std::filesystem::path> entries_below(const std::filesystem::path& folder, std::error_code& code);

}  // namespace invar
