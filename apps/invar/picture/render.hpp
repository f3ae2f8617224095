#pragma once
#include <filesystem>
#include <functional>
#include <string>

namespace invar {

/// Writes the PNG that `draw` creates in a separate process. Never throws: returns the reason why there is no picture, empty on success.
std::string render(const std::filesystem::path& png, const std::function<std::string()>& draw);

/// The reason in a build without VTK.
inline constexpr const char* no_pictures = "this build has no pictures (EGL headers were not found)";

}  // namespace invar
