#pragma once
#include <filesystem>
#include <string_view>

namespace invar {

/// Writes a file so that a reader, or a kill at any moment, sees the old content or the new one and
/// never a part: temporary name in the same folder, fsync, rename, fsync of the folder. Throws
/// IoError; the temporary file is then gone and an older file untouched.
void write_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace invar
