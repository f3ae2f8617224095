#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace invar {

/// Writes a file under a temporary name in its folder, syncs it and renames it: whoever reads it,
/// or a kill at any moment, finds the old content or the new, never a part. Throws VtkError; the
/// temporary file is then gone and an older file untouched.
void replace_file(const std::filesystem::path& file, std::string_view content);

/// Text as the value of an XML attribute.
std::string xml_escaped(std::string_view text);

}  // namespace invar
