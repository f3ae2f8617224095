#pragma once
#include <filesystem>
#include <string>

namespace invar {

/// The report of a sweep as a page of HTML: how its runs stand, why some failed, what came out against what was varied,
/// and the summary of `invar collect`. Throws IoError where the folder is none of a sweep.
std::string sweep_page(const std::filesystem::path& folder);

}  // namespace invar
