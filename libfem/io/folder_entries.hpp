#pragma once
#include <filesystem>
#include <system_error>
#include <vector>

namespace invar {

/// What is in a folder, in no order; nothing where there is no such folder. Throws std::filesystem::filesystem_error
/// where it cannot be read. The iterators of std::filesystem would end the program when memory runs out: in libstdc++
/// their step allocates and is `noexcept`.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
/// The same where what cannot be read is of no interest: what was read before an error, which `code` names.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder, std::error_code& code);

/// As the latter, with what is in the folders within. Symbolic links are not followed.
std::vector<std::filesystem::path> entries_below(const std::filesystem::path& folder, std::error_code& code);

}  // namespace invar
