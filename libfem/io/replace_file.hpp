#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace invar {

/// Writes a file atomically: under a temporary name in its folder, synced, then renamed. A reader, or an interruption
/// at any moment, finds the old content or the new one. Throws VtkError; the temporary file is then removed and an
/// older file is unchanged.
void replace_file(const std::filesystem::path& file, std::string_view content);

/// Text as the value of an XML attribute.
std::string xml_escaped(std::string_view text);

}  // namespace invar
