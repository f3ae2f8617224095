#pragma once
#include <filesystem>
#include <string_view>

namespace invar {

/// Replaces a file atomically: readers, also after a kill, see the old or the new content completely: temporary name in the same
/// folder, fsync, rename, fsync of the folder. Throws IoError; the temporary file is then gone and an older file untouched.
void write_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace invar
